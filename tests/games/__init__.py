"""Tests of the games, one folder for each, and one suite over all of them."""
