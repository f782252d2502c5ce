"""Tables of the text layer. Origin, licence and the script that made each file: see ``ORIGIN.md`` beside them."""
