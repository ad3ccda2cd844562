"""The browser's types, made from `protocol.py`; `python -m ludotheque.server.wire.typescript FILE [--check]`."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ludotheque.server.domain import protocol
from ludotheque.server.wire.api import ENDPOINTS
from ludotheque.server.wire.openapi import describe, message_schema

HEAD = "/** Every message of the game room. Made from the server's definitions by `make web`: do not edit. */\n"
UNIONS = {"request": "Request", "answer": "Answer"}
BASIC = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
WORDS = re.compile(r"\^\((\w+(?:\|\w+)+)\)\$")
"""A pattern that only lists words, such as `^(en|fr)$`, is a union of them."""


def make() -> str:
    """The whole file."""
    messages = message_schema()
    known = {**messages["$defs"], **describe(ENDPOINTS)["components"]["schemas"]}
    happened = known["Update"]["properties"]["events"]["items"]
    parts = [HEAD]
    parts += [_interface(name, known[name], happened) for name in sorted(known)]
    unions = {"Happened": happened} | {name: messages[key] for key, name in UNIONS.items()}
    parts += [f"export type {name} =\n" + _lines(_names(schema)) for name, schema in unions.items()]
    marks = ", ".join(f"'{m}'" for m in protocol.MARKS)
    parts.append(f"/** The reactions. */\nexport const MARKS = [{marks}] as const")
    parts.append("export type Reaction = (typeof MARKS)[number]\n")
    parts.append(f"/** The longest message. */\nexport const MAX_SAID = {protocol.MAX_SAID}\n")
    return "\n".join(parts)


def _interface(name: str, schema: Mapping[str, Any], happened: Any) -> str:
    needed = set(schema.get("required", ()))
    lines = [f"/** {schema['description']} */", f"export interface {name} {{"]
    for field, kind in schema["properties"].items():
        written = "Happened[]" if kind.get("items") == happened else _type(kind)
        lines.append(f"  {field}{'' if field in needed else '?'}: {written}")
    return "\n".join([*lines, "}", ""])


def _type(schema: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "enum" in schema:
        return " | ".join(f"'{value}'" for value in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(map(_type, schema["anyOf"])))
    kind = schema.get("type")
    if kind == "array":
        inner = _type(schema.get("items", {}))
        return f"({inner})[]" if " " in inner and not inner.startswith("Record") else f"{inner}[]"
    if kind == "object":
        rest = schema.get("additionalProperties")
        return f"Record<string, {_type(rest) if isinstance(rest, dict) else 'unknown'}>"
    if kind == "string" and (words := WORDS.fullmatch(schema.get("pattern", ""))):
        return " | ".join(f"'{word}'" for word in words[1].split("|"))
    return BASIC.get(kind or "", "unknown")


def _names(schema: Mapping[str, Any]) -> list[str]:
    return [_type(one) for one in schema["anyOf"]]


def _lines(names: list[str]) -> str:
    return "".join(f"  | {name}\n" for name in names)


def main() -> int:
    """Write the file, or compare it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if the file differs")
    args = parser.parse_args()
    text = make()
    if args.file.exists() and args.file.read_text("utf-8") == text:
        return 0
    if args.check:
        print(f"{args.file} is not what the protocol makes of it: run `make web`", file=sys.stderr)
        return 1
    args.file.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
