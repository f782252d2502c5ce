"""Data of the embedded encoder; see README.md here for its origin, licence and how it was made."""
