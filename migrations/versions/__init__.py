"""Revisions, each named by its number."""
