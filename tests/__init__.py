"""Tests mirror `server/`; those that need a database get a real one from `conftest.py`."""
