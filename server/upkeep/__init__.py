"""What an operator does to a house as a whole: backup and restore.

Owns:     the form of a backup file, what belongs into it, the programs that dump and restore.
Promises: a backup is whole or not there, and its owner's alone; a restore that fails leaves the
          database and the home as empty as they were.
Imports:  `tables` and everything below; nothing of web.
"""
