"""What people look at: plots, and the pages of traces and evaluations."""
