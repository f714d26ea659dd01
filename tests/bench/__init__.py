"""Measurements: ratios of two programs in one run on one machine; `python -m tests.bench`.

Some need the packages of the extra `bench`. The tests here see that all of them run, no more.
"""
