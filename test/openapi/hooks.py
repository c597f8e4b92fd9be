"""
What Schemathesis is told beyond /openapi.json (see schemathesis.md).
Owns: what counts as a refusal, texts of grammars that no pattern can say, and an end of the coverage phase.
"""

import schemathesis
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi import checks
from schemathesis.specs.openapi.coverage import _schema

# Codes with which a call says that what was sent has the wrong shape. What a rule, an assertion or a level of the right
# shape means (whom it is about, what its names stand for) is refused with codes of their own.
SHAPE = {"bad_json", "bad_path", "bad_query", "content_type", "invalid_body", "invalid_view_rule"}

# What no JSON Schema can say of a value, as the answers say it: numbers that hang together, names that are unlike.
UNSAYABLE = (
    "a triangle has a corner that is not an index of points",
    "all rows must have the same length",
    "the points are in one plane",
    "the name is taken by requests[",
    "has the key \"__proto__\"",
    "each tick of the points must be above",
    ") must be less than far (",
    ", but the call runs only ",
    "the weights have no common denominator of",
)

# What is answered from status 500 on and is no fault: that a server lacks something, as the document says it may.
MEANT = {("POST /auth/login", 503, "no_auth")}


def refusal(response):
    """The body of a refusal, some of which have the status 200; None for what was done."""
    if not response.headers.get("content-type", [""])[0].startswith("application/json"):
        return None
    body = response.json()
    return body if isinstance(body, dict) and body.get("ok") is False and "code" in body else None


class WithStatus:
    """A response that says its refusal by its status."""

    def __init__(self, response, status):
        self._response = response
        self.status_code = status

    def __getattr__(self, name):
        return getattr(self._response, name)


@schemathesis.check
def makes_no_server_error(ctx, response, case):
    refused = refusal(response)
    code = None if refused is None else refused["code"]
    documented = str(response.status_code) in case.operation.definition.raw["responses"]
    if documented and (case.operation.label, response.status_code, code) in MEANT:
        return None
    return not_a_server_error(ctx, response, case)


@schemathesis.check
def refuses_what_the_schema_forbids(ctx, response, case):
    refused = refusal(response)
    # Any other refusal would hide that the schema forbids what the server takes: a made-up id is refused in any case.
    if refused is not None and refused["code"] in SHAPE | {"method_not_allowed"}:
        return None
    return checks.negative_data_rejection(ctx, WithStatus(response, 200), case)


@schemathesis.check
def takes_what_the_schema_allows(ctx, response, case):
    refused = refusal(response)
    if refused is None or refused["code"] not in SHAPE or any(said in refused["error"] for said in UNSAYABLE):
        return None
    return checks.positive_data_acceptance(ctx, WithStatus(response, 422), case)


# Grammars that no pattern says: brackets that close, numbers that are at most others, names that stand for something.
leaves = st.sampled_from(["death", "timer:5", "tick:2", "health-below:30", "score:3", "event:damage", "field:health<50"])
filters = st.sampled_from(["any", "team:1", "entity:0", "tag:a", "role:minion", "component:Health", "team:2+alive"])
actions = st.sampled_from(
    ["damage this 12", "heal this 5", "despawn this", "score source 1", "teleport this 1,2,1", "spawn cube 0,1,0"]
)
fields = st.sampled_from(["health", "health.current", "gold", "level", "team", "position.y", "velocity.linear.x"])
components = st.sampled_from(["Health", "Team", "Velocity", "Collider", "local_transform"])


def joined(inner):
    return st.one_of(
        st.builds("({} & {})".format, inner, inner), st.builds("({} | {})".format, inner, inner), inner.map("!{}".format)
    )


fractions = st.integers(1, 10**9).flatmap(lambda most: st.builds("{}/{}".format, st.integers(0, most), st.just(most)))
for name, texts in {
    "condition": st.recursive(leaves, joined, max_leaves=4),
    "filter": filters,
    "action": actions,
    "field": fields,
    "component": components,
    "chance": fractions,
    "definition": st.sampled_from(["Action", "Condition", "Spawn", "Camera"]),
}.items():
    schemathesis.openapi.format(name, texts)


@schemathesis.hook
def before_load_schema(context, schema):
    """
    Where a pattern allows what the grammar does not (a fraction above one), the tool is to draw from the grammar.
    The fields that a link gives to a body become its requestBody, which other readers of the document do not take. Nor do
    they take what closes an object, and what its fields must be together, in the form from which the tool draws values.
    """

    def visit(part):
        if isinstance(part, dict):
            if part.get("format") == "chance":
                part.pop("pattern", None)
            if "x-body" in part:
                part["requestBody"] = part.pop("x-body")
            if part.get("unevaluatedProperties") is False:
                part["additionalProperties"] = part.pop("unevaluatedProperties")
            if part.get("if") == {}:
                part.pop("if")
                part.update(part.pop("then"))
            for inner in part.values():
                visit(inner)
        elif isinstance(part, list):
            for inner in part:
                visit(inner)

    visit(schema)


# Each named schema is covered wholly at the first place where all of its values are drawn, and with a value or two at the
# others. The tool covers it wholly at each, and goes round each circle twice: with conditions that stand in conditions that is
# without end.
whole = _schema.cover_schema_iter
covered = {}


def once(ctx, schema, seen=None):
    reference = schema.get("$ref") if isinstance(schema, dict) else None
    cases = whole(ctx, schema, seen)
    if reference is None:
        return cases
    # The counters are one object through one walk; they are kept here so that their id stays theirs.
    _, known, opened = covered.setdefault(id(ctx.expanding), (ctx.expanding, set(), set()))
    key = (reference, tuple(ctx.generation_modes))
    if key in known or key in opened:
        return _schema.islice(cases, 2)
    return wholly(key, known, opened, cases)


def wholly(key, known, opened, cases):
    opened.add(key)
    try:
        yield from cases
        known.add(key)
    finally:
        opened.discard(key)


_schema.cover_schema_iter = once
