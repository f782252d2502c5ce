"""The benchmark with a real reader: ``python benchmarks/proof --help``."""
