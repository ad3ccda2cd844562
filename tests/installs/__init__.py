"""The package as people install it: the wheel in a fresh environment outside the checkout, with one extra or none."""
