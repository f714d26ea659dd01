"""The web floor: the players' socket, and HTTP for players, operators and monitoring.

Owns:     the only FastAPI there is; who is asking; every limit of what a client may send.
Promises: each command gets exactly one reply, `ok` only after its commit; nothing that tables did
          not hand out for that viewer leaves through here; no traceback reaches a client.
Imports:  everything below; nothing of bots or main.
"""
