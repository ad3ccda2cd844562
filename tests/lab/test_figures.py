"""What simulations count, against a slow count in plain Python from the events of the very same matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import ludotheque
from ludotheque.bots import searches
from ludotheque.bots.ladder import levels
from ludotheque.core.chance import chacha_block
from ludotheque.core.chooser import MASK, advance, choose
from ludotheque.core.jit import plain
from ludotheque.core.ladder import Level
from ludotheque.core.match import Match
from ludotheque.lab import playing as templates
from ludotheque.lab.shards import Plan, make_plan, match_key, play_shard, run_key

pytestmark = pytest.mark.compiled_only

Key = tuple[str, str, str]
"""A figure, a label and a column."""
Sums = tuple[Counter[Key], Counter[Key]]
"""What came off, and how often it could have."""


def rated(match: Match, seat: int, level: Level, x: int) -> int:
    """What a seat plays by the ratings of what it sees."""
    game = match.game
    s = game.read(match.concealed(seat))
    ids = match.legal_ids(seat)
    scores, style = np.zeros(len(ids)), np.zeros(8)
    style[: len(level.style)] = level.style
    plain(searches.hooks(game).rate)(s, seat, np.array(ids, np.int16), len(ids), scores, style)
    behind = scores.max() - scores
    if level.temperature <= 0:
        good = np.flatnonzero(behind <= 1e-12)
        return ids[int(good[plain(choose)(x, len(good))])]
    weights = np.where(behind <= level.cap, np.exp(-behind / level.temperature), 0.0)
    at = (plain(choose)(x, 1 << 30) + 0.5) / (1 << 30) * weights.sum()
    place = int(min(np.searchsorted(np.cumsum(weights), at, "right"), np.flatnonzero(weights)[-1]))
    return ids[place]


def replay(plan: Plan, number: int) -> Match:
    """A match of a run, move by move in Python."""
    game = ludotheque.game(plan.game)
    match = game.new(plan.players, seed=match_key(plan, number), **plan.options)
    words = np.zeros(16, np.uint32)
    plain(chacha_block)(run_key(plan), number, 0, 8, words)
    x = plain(advance)(((int(words[8]) << 30) ^ int(words[9])) & MASK)
    out = np.empty(game.info.num_actions, np.int16)
    seats = game.info.max_seats
    while not match.over:
        seat, action = match.actor, -1
        idlers = [other for other in match.movers() if other != seat]
        if idlers:
            x = plain(advance)(x)
            pick = plain(choose)(x, 2 * seats)
            for idler in idlers:
                if plan.bots[idler] != "random":
                    reflex = getattr(searches.hooks(game), "reflex", None)
                    wanted = plain(reflex)(game.read(match.concealed(idler)), idler) if reflex else -1
                    if wanted >= 0:
                        seat, action = idler, int(wanted)
                elif idler == pick:
                    seat, action = idler, -1
        x = plain(advance)(x)
        if action < 0 and plan.bots[seat] == "random":
            action = int(plain(game.rules.sample)(match.state, seat, x, out))
        elif action < 0:
            action = rated(match, seat, levels(game)[plan.bots[seat]], x)
        match.play(game.moves[action], seat)
    return match


def events(match: Match) -> Iterator[dict[str, Any]]:
    return (event for step in match.events() for event in step)


def add(sums: Sums, figure: str, label: object, number: int, of: int = 1, column: object = "") -> None:
    sums[0][figure, str(label), str(column)] += number
    sums[1][figure, str(label), str(column)] += of


def count_double_lucky_7(match: Match, sums: Sums) -> None:
    dealer, size = 0, 0
    for event in events(match):
        if event["type"] == "deal":
            dealer, size = event["seat"], event["n"]
            if event["round"] > 1:
                add(sums, "joker", "joker", event["card"] == "joker")
        elif event["type"] == "round_end":
            bids, tricks = event["bids"], event["tricks"]
            last = (dealer - 1) % match.num_seats
            barred = size - (sum(bids) - bids[last])
            for seat, (bid, taken) in enumerate(zip(bids, tricks, strict=True)):
                add(sums, "hit_by_size", size, bid == taken)
                add(sums, "hit_by_bid", bid, bid == taken)
                add(sums, "hit_table", bid, bid == taken, 1, size)
                add(sums, "hook", "others" if seat != last else "barred" if barred >= 0 else "free", bid == taken)
            if barred >= 0:
                add(sums, "hook_cost", "hooked", tricks[last] == barred)


def count_volle_lotte(match: Match, sums: Sums) -> None:
    card, lottes, made = "", 0, False
    for event in events(match):
        kind = event["type"]
        if kind == "card":
            card, made = event["card"], False
            add(sums, "lost_by_card", card, 0)
            add(sums, "lotte_by_card", card, 0)
        elif kind in ("roll", "straight_roll") and card == "straight":
            add(sums, "straight_by_dice", len(event["dice"]), kind == "roll")
        elif kind == "roll":
            add(sums, "bust_by_dice", len(event["dice"]), event["points"] == 0)
        elif kind in ("volle_lotte", "clover_lotte", "straight", "clover_wins"):
            lottes += 1
            add(sums, "lotte_by_card", card, not made, 0)
            made = True
        elif kind in ("bust", "no_new_face", "stop_card"):
            add(sums, "lost_by_card", card, 1, 0)
        if kind in ("bust", "no_new_face", "stop_card", "score", "clover_wins"):
            add(sums, "points_by_card", card, event.get("points", 0))
            for label in ("0", "1", "2", "3+"):
                add(sums, "lottes", label, label[0] == str(min(lottes, 3)))
            lottes = 0


def count_lobo77(match: Match, sums: Sums) -> None:
    opener, card, total = 0, "", 0
    figures = {figure.name: figure for figure in templates.figures(match.game)}
    add(sums, "tokens", "doublets", 0)
    add(sums, "tokens", "limit", 0)
    for event in events(match):
        kind = event["type"]
        if kind == "deal":
            opener = event["other"]
        elif kind == "play":
            card, total = event["card"], event["total"]
        elif kind in ("token", "last_token", "sunk"):
            for label in ("11", "22", "33", "44", "55", "66", "77"):
                add(sums, "losses", label, label == str(min(total, 77)))
            add(sums, "tokens", "limit" if total >= 77 else "doublets", kind != "sunk", 0)
        elif kind == "round_end":
            how = "doublet" if total < 77 else "exactly" if total == 77 else "beyond"
            step = (event["seat"] - opener) % match.num_seats
            for name, found in (("round_end", how), ("round_end_seat", str(step)), ("round_end_card", card)):
                for cell in figures[name].cells:
                    add(sums, name, cell.label, cell.label == found)


def count_loba(match: Match, sums: Sums) -> None:
    number, turn = 1, 0
    for event in events(match):
        kind = event["type"]
        if kind == "deal":
            number, turn = event["round"], 0
        elif kind in ("draw", "take"):
            turn += 1
            add(sums, "taken", "pile", kind == "take")
        elif kind == "down":
            lap = (turn - 1) // match.num_seats + 1
            bucket = str(lap) if lap <= 10 else "11–20" if lap <= 20 else "21–40"
            add(sums, "down", number, 1, 0)
            add(sums, "down_lap", number, lap)
            for cell in next(f for f in templates.figures(match.game) if f.name == "down_laps").cells:
                add(sums, "down_laps", cell.label, cell.label == bucket)
        elif kind == "round_end":
            add(sums, "down", number, 0, match.num_seats)
            add(sums, "penalty", number, sum(event["points"]), match.num_seats)
            is_out = event["seat"] is not None and event["seat"] >= 0
            add(sums, "out", number, is_out)
            add(sums, "limit", "cut_off", not is_out)


def count_skipbo(match: Match, sums: Sums) -> None:
    remakes = turns = plays = 0
    is_dry = False
    for ply, step in enumerate(match.events()):
        ended = False
        for event in step:
            kind = event["type"]
            if kind in ("play", "play_early"):
                plays += 1
                source = event["source"]
                origin = "partner" if source[0] == "p" else {"h": "hand", "S": "stock", "d": "piles"}[source[0]]
                for label in ("hand", "stock", "piles", "partner"):
                    add(sums, "sources", label, label == origin)
            elif kind in ("discard", "ended"):
                turns += 1
            elif kind == "remake":
                remakes += 1
            elif kind == "round_end":
                ended = True
                turns += event["ending"] == "stock"
                add(sums, "draw_pile", "remade", remakes > 0)
                add(sums, "draw_pile", "blocked", event["ending"] == "blocked")
                for label in ("0", "1", "2", "3+"):
                    add(sums, "remakes", label, label[0] == str(min(remakes, 3)))
                add(sums, "turns", "round", turns)
                add(sums, "turns", "turn", plays, turns)
                add(sums, "draw_pile", "dry", is_dry)
                remakes = turns = plays = 0
                is_dry = False
        if not ended:
            state = match.at(ply).state
            is_dry = is_dry or (state.height[20] == 0 and state.num_aside == 0)


COUNTS: dict[str, Callable[[Match, Sums], None]] = {
    "double_lucky_7": count_double_lucky_7,
    "volle_lotte": count_volle_lotte,
    "lobo77": count_lobo77,
    "loba": count_loba,
    "skipbo": count_skipbo,
}

RUNS = [
    ("double_lucky_7", 4, {}, 6),
    ("double_lucky_7", 2, {"rounds": 7, "forfeits": True}, 4),
    ("volle_lotte", 3, {}, 8),
    ("volle_lotte", 2, {"straight_goes_on": True, "leader_loses": "at_once", "target": 3000}, 8),
    ("lobo77", 4, {}, 6),
    ("lobo77", 3, {"draw": "manual", "end": "last_tokens", "repeat_costs": True}, 6),
    ("skipbo", 2, {"stock": 5}, 2),
    ("skipbo", 4, {"stock": 5, "teams": True, "match": "points", "target": 50}, 1),
    ("skipbo", 2, {"stock": 5, "manners": True}, 1),
    ("loba", 3, {"runs": "any_suit"}, 1),
]


@pytest.mark.parametrize("bots", [("random",), ("club",), ("beginner", "random", "casual", "club", "random")])
@pytest.mark.parametrize(("game", "players", "options", "games"), RUNS)
def test_figures_are_what_the_events_tell(
    game: str, players: int, options: dict[str, Any], games: int, bots: tuple[str, ...]
) -> None:
    seated = bots if len(bots) == 1 else bots[:players]
    plan = make_plan(game, games, players, seated, options=options, seed="figures")
    part = play_shard(plan, 0)
    sums: Sums = (Counter(), Counter())
    for number in range(games):
        match = replay(plan, number)
        assert match.scores == part.rows["score"][number].tolist()
        assert match.places == part.rows["place"][number].tolist()
        assert len(match.moves) == part.rows["moves"][number]
        COUNTS[game](match, sums)
    totals = part.sums["totals"]
    for figure in templates.figures(ludotheque.game(game)):
        for cell in figure.cells:
            key = figure.name, cell.label, cell.column
            counted = int(totals[cell.counter]), int(totals[cell.of])
            if players >= cell.seats:
                assert counted == (sums[0][key], sums[1][key]), key
    assert totals[0] == games


@pytest.mark.parametrize("game", COUNTS)
def test_bots_are_counted_alike(game: str) -> None:
    """Matches of bots go through another door: the counts of one match must be what its events tell."""
    loaded = ludotheque.game(game)
    players = loaded.info.min_seats
    plan = make_plan(game, 1, players, ["cheater"] * (players - 1) + ["random"], budget="20it", seed="bots")
    seen: list[Match] = []
    played = Match.result

    def listening(self: Match) -> tuple[list[int], list[int]]:
        seen.append(self)
        return played(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Match, "result", listening)
        part = play_shard(plan, 0)
    sums: Sums = (Counter(), Counter())
    COUNTS[game](seen[0], sums)
    for figure in templates.figures(loaded):
        for cell in figure.cells:
            if players >= cell.seats:
                key = figure.name, cell.label, cell.column
                counted = int(part.sums["totals"][cell.counter]), int(part.sums["totals"][cell.of])
                assert counted == (sums[0][key], sums[1][key]), key


@pytest.mark.parametrize("game", ludotheque.game_ids())
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_figure_has_its_words(game: str, lang: str) -> None:
    words = ludotheque.game(game).catalogue(lang)
    figures = templates.figures(ludotheque.game(game))
    assert figures
    assert len({figure.name for figure in figures}) == len(figures)
    for figure in figures:
        assert words.say(f"figures.{figure.name}")
        assert words.say(f"axes.{figure.name}")
        for cell in figure.cells:
            assert not figure.words or words.word(figure.words, cell.label)
            assert 0 <= max(cell.counter, cell.of) < templates.num_counters(ludotheque.game(game))
