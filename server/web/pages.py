"""How a list is paged: at most a hundred, and what comes after the last one seen."""

from typing import Annotated, Final

from fastapi import Path, Query

LIST_MAX: Final = 100
ID_MAX: Final = 2**63 - 1

Limit = Annotated[int, Query(ge=1, le=LIST_MAX, description="how many at most")]
After = Annotated[
    int | None,
    Query(ge=0, le=ID_MAX, description="`next` of the page before: where this one goes on"),
]
Id = Annotated[int, Path(ge=1, le=ID_MAX)]
