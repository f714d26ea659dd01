"""Tests of `server/embedded`."""
