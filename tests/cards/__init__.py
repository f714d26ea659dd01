"""Tests of cards and packs."""
