"""What an operator does to a house as a whole: backup and restore, new keys.

Owns:     the form of a backup file, what belongs into it, the programs that dump and restore; the
          order in which keys change, and who may hold the house meanwhile.
Promises: a backup is whole or not there, and its owner's alone; a restore that fails leaves the
          database and the home as empty as they were; a rotation that is interrupted leaves a
          house that starts.
Imports:  `tables` and everything below; nothing of web.
"""
