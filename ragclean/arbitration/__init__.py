"""Who is right where values of the same attribute of the same thing differ."""

from ragclean.arbitration.arbiter import arbitrate
from ragclean.arbitration.verdict import Verdict

__all__ = ["Verdict", "arbitrate"]
