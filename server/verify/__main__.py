"""`python -m server.verify RECORD [--server-key HEX] [--log-key VKEY] [--json]`.

With the standard library alone.
"""

import argparse
import sys
from typing import NoReturn

from server.verify.checks import verify_record
from server.verify.source import Unreadable, key_of, log_key_of, read_source


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Say what is wrong with the call in one line; exit 2."""
        self.exit(2, f"pakka verify: {message}\n")


def main(arguments: list[str] | None = None) -> int:
    """Verify a record; the exit code: 0 none fails, 1 one fails or no record, 2 unreadable."""
    parser = _Parser(prog="python -m server.verify", description="Check the record of a hand.")
    parser.add_argument("record", metavar="RECORD", help="a file, - or an http(s) address")
    parser.add_argument("--server-key", metavar="HEX", help="the pinned key, 32 bytes")
    parser.add_argument("--log-key", metavar="VKEY", help="the log's pinned key, name+id+key")
    parser.add_argument("--json", action="store_true", help="one JSON document on stdout")
    options = parser.parse_args(arguments)
    try:
        pinned = None if options.server_key is None else key_of(options.server_key)
        log_key = None if options.log_key is None else log_key_of(options.log_key)
        data = read_source(options.record)
    except Unreadable as problem:
        sys.stderr.write(f"pakka verify: {problem}\n")
        return 2
    report = verify_record(data, pinned, log_key=log_key)
    print(report.json() if options.json else report.text())
    return report.exit_code


if __name__ == "__main__":
    sys.exit(main())
