"""The pages: their files, their words, their scripts, and whole hands in a real Chromium."""
