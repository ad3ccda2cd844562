"""A language model as a player: it is told the rules and what its seat sees, in words, and answers with a move.

    pip install ludotheque
    python examples/language_model.py skipbo --model llama3.3@http://localhost:11434/v1/chat/completions
    ludotheque tournament skipbo --deals 2 --bots examples/language_model.py:player:scripted,random

A model is named MODEL@ADDRESS, where the address takes chats as OpenAI's does; Ollama, llama.cpp, vLLM and most
providers have one. A key, if it wants one, is read from the environment variable LANGUAGE_MODEL_KEY. `scripted` is a
stand-in that needs no model: a program that reads the prompt and answers in the manner of one, mistakes included.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import urllib.request
from collections.abc import Callable
from typing import Any

import ludotheque
from ludotheque.rl.text import describe, describe_record

Chat = list[dict[str, str]]
Model = Callable[[Chat], str]
"""A chat so far, as `role` and `content` of each message, and the next reply."""

TRIES = 3
ASK = "Think if you like, then write your move, exactly as it stands before the colon, alone on the last line."
AGAIN = "The last line of that is not one of your moves. Write one of them, exactly as listed, alone on the last line."
TIMEOUT = 120


class Player:
    """Asks a model for moves; one that goes on answering with something else gets a random move."""

    def __init__(self, game: ludotheque.Game, model: Model, seed: int | str | None = None, lang: str = "en") -> None:
        rules = game.rules_text(lang)
        self.model = model
        self.system = f"You play {game.info.name} and want to win. The rules:\n\n{rules}"
        self.asked = 0
        """How often it was asked,"""
        self.refused = 0
        """and how many replies had no move in them."""
        self._random = random.Random(seed)

    def choose(self, seen: str, legal: list[ludotheque.Move]) -> ludotheque.Move:
        """One of the legal moves, given what the seat sees in words."""
        chat = [{"role": "system", "content": self.system}, {"role": "user", "content": f"{seen}\n\n{ASK}"}]
        for _ in range(TRIES):
            self.asked += 1
            reply = self.model(chat)
            if (move := find_move(reply, legal)) is not None:
                return move
            self.refused += 1
            chat += [{"role": "assistant", "content": reply}, {"role": "user", "content": AGAIN}]
        return self._random.choice(legal)


def find_move(reply: str, legal: list[ludotheque.Move]) -> ludotheque.Move | None:
    """The move on the last line of a reply, in quotes or without; None if there is none."""
    lines = [line.strip().strip("`\"'").strip() for line in reply.strip().splitlines()]
    return next((move for move in legal if lines and move == lines[-1]), None)


class Server:
    """A model behind an address that takes chats as OpenAI's does."""

    def __init__(self, name: str, url: str) -> None:
        self.name, self.url = name, url

    def __call__(self, chat: Chat) -> str:
        """The reply of the model."""
        body = json.dumps({"model": self.name, "messages": chat}).encode()
        request = urllib.request.Request(self.url, body, {"Content-Type": "application/json"})
        if key := os.environ.get("LANGUAGE_MODEL_KEY"):
            request.add_header("Authorization", f"Bearer {key}")
        with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
            reply: str = json.load(answer)["choices"][0]["message"]["content"]
        return reply


class Scripted:
    """Stands in for a model: it reads the moves out of the prompt and takes one, sometimes only after nonsense."""

    def __init__(self, seed: int | str | None = None) -> None:
        self._random = random.Random(seed)

    def __call__(self, chat: Chat) -> str:
        """A reply as a model might give it."""
        seen = next(message["content"] for message in reversed(chat) if ASK in message["content"])
        moves = re.findall(r"^(\S[^:\n]*): ", seen.partition("Your moves")[2], re.MULTILINE)
        if chat[-1]["content"] != AGAIN and self._random.random() < 0.2:
            return "That is a hard one. I would rather win."
        return f"Let me see. I have {len(moves)} moves, and this one looks good.\n`{self._random.choice(moves)}`"


def find_model(name: str, seed: int | str | None = None) -> Model:
    """The model of a name: `scripted`, or MODEL@ADDRESS."""
    if name == "scripted":
        return Scripted(seed)
    model, at, url = name.partition("@")
    if not at or not url.startswith(("http://", "https://")):
        raise ludotheque.InvalidOptions(f"a model is named scripted or MODEL@ADDRESS, not {name!r:.80}")
    return Server(model, url)


def player(game: ludotheque.Game, seed: int | str | None, model: str = "scripted") -> Callable[..., ludotheque.Move]:
    """A model as a contestant of `ludotheque tournament`. It is asked at every move, and remembers nothing."""
    asked = Player(game, find_model(model, seed), seed)

    def choose(record: Any, seat: int, legal: list[ludotheque.Move]) -> ludotheque.Move:
        return asked.choose(describe_record(game, record, seat), legal)

    return choose


def play(game_id: str, model: Model, rival: str, seed: int) -> tuple[ludotheque.Match, Player]:
    """A match of the model, in seat 0, against bots; and what it was like."""
    game = ludotheque.game(game_id)
    match, bot, me = game.new(seed=seed), ludotheque.bot(game_id, rival, seed=seed), Player(game, model, seed)
    while not match.over:
        mine = match.actor == 0
        match.play(me.choose(describe(match, 0), match.legal()) if mine else bot.choose(match))
    return match, me


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", default="double_lucky_7", choices=ludotheque.game_ids())
    parser.add_argument("--model", default="scripted", help="MODEL@ADDRESS (scripted)")
    parser.add_argument("--rival", default="beginner", help="the level of the bots (beginner)")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    played, asked = play(args.game, find_model(args.model, args.seed), args.rival, args.seed)
    print("\n".join(played.log()))
    print(f"place {played.places[0]}; {asked.refused} of {asked.asked} replies had no move in them")
