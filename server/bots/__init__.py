"""Players that are programs: ordinary socket clients, with no door to the tables.

Owns:     the client of `pakka.v1`, every live check of fairdeal/1, one policy for each game.
Promises: a client stops at the first frame that breaks fairdeal/1, and keeps what it saw.
Imports:  websockets, httpx and the pure files of the floors below; never `tables` or a database.
"""
