"""LOBO 77: add to the common total, keep clear of the doublets, and never be the one who reaches 77."""
