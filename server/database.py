"""The engine, and the only place that says commit.

Placeholder of the contract; see its docstrings.
"""

from typing import NewType
from uuid import UUID

PlayerId = NewType("PlayerId", int)
TableId = NewType("TableId", UUID)
HandId = NewType("HandId", int)
