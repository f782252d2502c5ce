"""Thresholds and weights fitted to labelled cases."""
