"""Who somebody is: players and operators, their sign-ins, and what operators did.

Owns:     the schema `identity`; names, passwords, tokens, roles, stored HTTP answers.
Promises: no password and no token is kept as such; what an operator did is never changed.
Imports:  `database`, `errors`; never `ledger` or `fairness`.
"""
