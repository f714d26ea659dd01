"""House tokens: who has how many, what is held for a hand, and every move they made.

Owns:     the schema `ledger`; amounts, holds, settlements, transfers, statements, the audit.
Promises: entries that sum to zero and never change; a hand settles or voids exactly once.
Imports:  `database`, `errors`; never `identity` or `fairness`. `accounts` and `transfers` are pure.
"""
