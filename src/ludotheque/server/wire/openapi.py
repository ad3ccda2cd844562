"""OpenAPI and JSON Schema, made from `protocol.py` and the endpoints."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from ludotheque import __version__
from ludotheque.server.domain import protocol
from ludotheque.server.wire.api import Endpoint

REF = "#/components/schemas/{name}"


def message_schema() -> dict[str, Any]:
    """The messages of the WebSocket: the hello, what clients send, what the server sends."""
    kinds = {"hello": protocol.Hello, "request": protocol.Request, "answer": protocol.Answer}
    schemas, components = msgspec.json.schema_components(kinds.values(), ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Ludothèque: messages of a table's WebSocket",
        **dict(zip(kinds, schemas, strict=True)),
        "$defs": components,
    }


def describe(endpoints: Sequence[Endpoint]) -> dict[str, Any]:
    """The HTTP interface as OpenAPI 3.1."""
    types = [endpoint.answer for endpoint in endpoints] + [protocol.Problem]
    types += [endpoint.body for endpoint in endpoints if endpoint.body is not None]
    schemas, components = msgspec.json.schema_components(types, ref_template=REF)
    known = {id(kind): schema for kind, schema in zip(types, schemas, strict=True)}
    paths: dict[str, Any] = {}
    for endpoint in endpoints:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _operation(endpoint, known)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Ludothèque game room",
            "version": __version__,
            "description": "Tables live on the WebSocket /ws/{table}; its messages are at /api/messages.json.",
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "seat": {"type": "http", "scheme": "bearer", "description": "the secret token of a seat"},
                "browser": {"type": "apiKey", "in": "cookie", "name": "ludotheque"},
            },
        },
    }


def _operation(endpoint: Endpoint, known: dict[int, Any]) -> dict[str, Any]:
    names = re.findall(r"\{(\w+)\}", endpoint.path)
    parameters: list[dict[str, Any]] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in names
    ]
    parameters += [
        {"name": name, "in": "query", "description": about, "schema": {"type": "string"}}
        for name, about in endpoint.query
    ]
    problem = {"application/json": {"schema": known[id(protocol.Problem)]}}
    responses: dict[str, Any] = {
        "200": {"description": "done", "content": {"application/json": {"schema": known[id(endpoint.answer)]}}}
    }
    responses |= {str(code): {"description": "refused", "content": problem} for code in endpoint.errors}
    operation: dict[str, Any] = {
        "operationId": f"{endpoint.method.lower()}_{endpoint.handler.__name__}",
        "summary": endpoint.about,
        "parameters": parameters,
        "responses": responses,
    }
    if "{table}" in endpoint.path:
        operation["security"] = [{}, {"seat": []}, {"browser": []}]
    if endpoint.body is not None:
        content = {"application/json": {"schema": known[id(endpoint.body)]}}
        operation["requestBody"] = {"required": True, "content": content}
    return operation
