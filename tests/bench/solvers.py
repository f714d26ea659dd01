"""HiGHS and CP-SAT on a packing, each on one thread and otherwise as it comes.

HiGHS keeps one instance and is given the whole model at once, the quickest way that we know.
CP-SAT is there a second time without its presolve, which such small models hardly repay.
"""

from typing import Any, Protocol

import highspy
from ortools.sat.python import cp_model

from tests.bench.packing import Packing


class Solver(Protocol):
    """A program that finds what a packing costs, in two steps that are timed apart."""

    def build(self, packing: Packing) -> Any:
        """Put the packing into the solver's own form."""

    def solve(self, packing: Packing, model: Any) -> int:
        """Find the points that are left. Errors: AssertionError if the optimum isn't proved."""


class Highs:
    """A branch-and-cut solver of integer programs."""

    def __init__(self) -> None:
        self.highs = highspy.Highs()
        self.highs.setOptionValue("output_flag", False)
        self.highs.setOptionValue("threads", 1)

    def build(self, packing: Packing) -> Any:
        """Pass the model; the solver holds it."""
        columns, rows = len(packing.saves), len(packing.rows)
        terms = [term for row in packing.rows for term in row.terms]
        starts = [0]
        for row in packing.rows:
            starts.append(starts[-1] + len(row.terms))
        model = highspy.HighsLp()
        model.sense_ = highspy.ObjSense.kMaximize
        model.num_col_, model.num_row_ = columns, rows
        model.col_cost_ = [float(saved) for saved in packing.saves]
        model.col_lower_, model.col_upper_ = [0.0] * columns, [float(n) for n in packing.most]
        model.integrality_ = [highspy.HighsVarType.kInteger] * columns
        model.row_lower_ = [-highspy.kHighsInf] * rows
        model.row_upper_ = [row.most for row in packing.rows]
        model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        model.a_matrix_.start_ = starts
        model.a_matrix_.index_ = [column for column, _ in terms]
        model.a_matrix_.value_ = [factor for _, factor in terms]
        assert self.highs.passModel(model) == highspy.HighsStatus.kOk

    def solve(self, packing: Packing, model: Any) -> int:
        """Run what was passed last."""
        self.highs.run()
        assert self.highs.getModelStatus() == highspy.HighsModelStatus.kOptimal
        saved: int = round(self.highs.getObjectiveValue())
        return packing.total - saved


class CpSat:
    """A solver of constraints by learnt clauses."""

    def __init__(self, *, presolve: bool = True) -> None:
        self.solver = cp_model.CpSolver()
        self.solver.parameters.num_workers = 1
        self.solver.parameters.cp_model_presolve = presolve

    def build(self, packing: Packing) -> Any:
        """Make the model, a variable a column."""
        model = cp_model.CpModel()
        taken = [model.new_int_var(0, most, "") for most in packing.most]
        for row in packing.rows:
            columns = [taken[column] for column, _ in row.terms]
            factors = [factor for _, factor in row.terms]
            model.add(cp_model.LinearExpr.weighted_sum(columns, factors) <= row.most)
        model.maximize(cp_model.LinearExpr.weighted_sum(taken, packing.saves))
        return model

    def solve(self, packing: Packing, model: Any) -> int:
        """Solve the model that was built."""
        assert self.solver.solve(model) == cp_model.OPTIMAL
        saved: int = round(self.solver.objective_value)
        return packing.total - saved
