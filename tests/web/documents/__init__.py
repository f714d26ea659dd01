"""The documents, held to the code and to what is really sent."""
