"""Pakka: a card-table server whose every deal can be checked.

The floors, lowest first: `cards`, `games`, then `errors`, `settings` and `embedded`, then
`database` and `messenger`, then `fairness`, `identity` and `ledger`, then `verify`, `tables`,
`jobs`, `web`, `bots`, and on top `main` and `cli`. Imports only go down.
"""
