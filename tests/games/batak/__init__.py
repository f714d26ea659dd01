"""Tests of Batak."""
