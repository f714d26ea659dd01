"""Several processes on one machine: they share one address, one PostgreSQL and one Redis.

Owns:     the process that listens and serves nobody: it starts the others on its socket, starts one
          anew that has died, and at SIGHUP ends and starts them one after the other.
Promises: hands go on meanwhile, and nothing is left running when it ends, however it ends.
Imports:  what it needs to set the others up; no table.
"""

from server.workers.keeper import Signals, Workers
from server.workers.serving import Premises, serve

__all__ = ["Premises", "Signals", "Workers", "serve"]
