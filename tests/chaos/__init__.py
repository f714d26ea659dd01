"""A house that is broken on purpose while hands run, and what must be true of it all the same.

    python -m tests.chaos --minutes 20 --faults 100 --seed 7

Real processes, real PostgreSQL and Valkey, checking clients on real sockets; `test_chaos.py` is the
short form, with one fault of each kind.
"""
