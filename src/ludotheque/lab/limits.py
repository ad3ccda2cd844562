"""How much one run may be asked for. Help shows these limits, so this module loads nothing."""

MOST_GAMES = 10**10
MOST_DEALS = 1_000_000
MOST_SKILL_DEALS = 100_000
MOST_JOBS = 256
