"""Tests of Court Piece."""
