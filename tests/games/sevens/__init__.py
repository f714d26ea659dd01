"""Badam Satti and British Sevens."""
