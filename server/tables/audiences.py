"""The audiences of this process, one for each table: whoever holds the table's state feeds it."""

from collections.abc import Callable, Iterator

from server.database import PlayerId, TableId
from server.tables.audience import Audience, Viewer


class Audiences:
    """Each table's audience stays while its state moves between the actor and a mirror."""

    def __init__(self, make: Callable[[], Audience]) -> None:
        self._make = make
        self._of: dict[TableId, Audience] = {}

    def __contains__(self, table: TableId) -> bool:
        return table in self._of

    def __iter__(self) -> Iterator[TableId]:
        """List the tables that have one."""
        return iter(tuple(self._of))

    def of(self, table: TableId) -> Audience:
        """Give a table's audience, made when it is first asked for."""
        if table not in self._of:
            self._of[table] = self._make()
        return self._of[table]

    def players_of(self, table: TableId) -> tuple[PlayerId | None, ...]:
        """List who looks at a table from here; None: somebody who isn't signed in."""
        return self._of[table].players if table in self._of else ()

    def unwatch(self, table: TableId, viewer: Viewer) -> None:
        """Stop telling a viewer of a table."""
        if table in self._of:
            self._of[table].unwatch(viewer)

    def forget(self, viewer: Viewer) -> None:
        """Stop telling a viewer anything."""
        for audience in self._of.values():
            audience.unwatch(viewer)
