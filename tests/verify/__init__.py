"""Tests of `server/verify`."""
