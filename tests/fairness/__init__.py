"""Tests of `server/fairness`."""
