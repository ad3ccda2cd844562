"""What the lab finds out as pages: one HTML file each, with everything in it."""

from ludotheque.lab.page_simulation import simulation_page
from ludotheque.lab.page_skill import skill_page
from ludotheque.lab.page_tournament import tournament_page

__all__ = ["simulation_page", "skill_page", "tournament_page"]
