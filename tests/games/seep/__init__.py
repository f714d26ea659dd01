"""Tests of Seep."""
