"""Tests of `server/ledger`."""
