"""`python -m server.cli`, the same as `pakka`."""

from server.cli import main

main()
