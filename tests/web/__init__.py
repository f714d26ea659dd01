"""The web floor, mostly on a real server with real sockets."""
