"""Several processes of one house: on one database, and one Valkey between them."""
