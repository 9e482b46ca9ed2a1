"""The book's live figures, one a file: see "Adding a live figure" in CONTRIBUTING.md."""
