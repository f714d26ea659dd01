"""Measurements, not tests: ratios of two programs in one run on one machine.

Those of the meld search need the packages of the extra `bench`; pytest collects nothing here.
"""
