"""Run a whole SQL file as part of a migration: functions and triggers read best as SQL."""

from pathlib import Path
from typing import cast

from alembic import op
from sqlalchemy.engine.interfaces import AdaptedConnection

VERSIONS = Path(__file__).with_name("versions")


def run_script(name: str) -> None:
    """Run the file `name` that lies beside the revisions, in the migration's transaction."""
    script = (VERSIONS / name).read_text(encoding="utf-8")
    pooled = op.get_bind().connection
    adapted = cast("AdaptedConnection", pooled.dbapi_connection)
    adapted.run_async(lambda driver: driver.execute(script))
