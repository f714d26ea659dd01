"""Cards, packs and what every game has in common.

Owns:     the card's text, the pack's numbering (fairdeal/1 section 2), the `Game` protocol.
Promises: pure functions and frozen values; no clock, no chance, no I/O.
Imports:  the standard library alone, so that the verifier runs where nothing is installed.
"""
