"""How many tables a house carries: players that cost little, beside an echo of the same frames.

python -m tests.load --tables 10 100 500 --seats 6 --every 3 --minutes 1
"""
