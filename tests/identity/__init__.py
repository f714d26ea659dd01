"""Tests of `server/identity`."""
