"""Where the ledger and the public log meet: seals over what was written, and proofs of them.

Owns:     what a row of the ledger hashes to, the sealer, the check of all seals, a line's proof.
Promises: a seal and its entry in the public log are one transaction; what is sealed can't be
          changed, taken away or added to without the check naming the seal.
Imports:  `ledger` and `fairness`, which don't know each other; `leaves` and `proofs` are pure.
"""
