"""The players' pages in a real Chromium."""
