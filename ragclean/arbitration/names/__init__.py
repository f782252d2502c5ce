"""Names, places and identifiers as claims: what is asked for, candidates, sides, and when two names are one."""
