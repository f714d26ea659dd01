"""What `.ci/run` runs besides the tests."""
