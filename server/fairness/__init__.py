"""The deal that every seat can check: fairdeal/1.

Owns:     the encoding, shuffle, commitments, proofs and transcript of a hand, its record, the
          sealed seeds and the public log.
Promises: a seed is drawn and sealed before it is committed to, and leaves `Seed` only at a close
          or a void; the log is dense and append-only.
Imports:  `encoding`, `shuffle`, `commitment`, `entries`, `merkle`, `transcript`, `shoe`, `ed25519`,
          `canonical`, `shape` and `record` are pure and use the standard library alone, so that
          the verifier runs where nothing is installed; `signing` and `seal` add `cryptography`;
          `log`, `models`, `repository` and `service` are the floor's SQL.
"""
