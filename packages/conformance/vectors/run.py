#!/usr/bin/env python3
"""Runs the vectors against small readers in plain Python: python3 run.py. Exits with 1 if a case differs.

Hosts need the Public Suffix List, so only the rows that need no list are run here.
"""
import datetime as dt
import ipaddress
import json
import pathlib
import re
import socket
import sys
from urllib.parse import unquote
from zoneinfo import ZoneInfo, available_timezones

HERE = pathlib.Path(__file__).parent
RANGE = re.compile(r"(\*|[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*)(?:[ \t]*;[ \t]*[qQ]=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?")
NAME = re.compile(r"[a-z0-9][a-z0-9_\-*/@]{0,255}")
MEMBER = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*=[ \t]*([\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*)[ \t]*(?:;.*)?")
PARENT = re.compile(r"([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?")
UTC = dt.timezone.utc
ZONES = {name.lower() for name in available_timezones()}


def agreement(case):
    return not case["lines"] or case["meta"] is None or ", ".join(case["lines"]) == case["meta"]


def negotiation(case):
    ranges = []
    for part in filter(None, (part.strip() for part in case["preference"].split(","))):
        match = RANGE.fullmatch(part)
        if match is None:
            return None
        ranges.append((match[1].lower(), float(match[2] or 1)))
    available = {tag.lower(): tag for tag in case["available"]}
    for tag, weight in sorted(ranges, key=lambda one: -one[1]):
        while weight > 0 and tag:
            if tag in available:
                return available[tag]
            tag = tag.rpartition("-")[0]
    return None


def first_instant(zone, date):
    """Midnight, or the end of the gap that swallowed it: the first second whose local date is this one."""
    low = dt.datetime.combine(date, dt.time(), UTC) - dt.timedelta(hours=30)
    before, after = int(low.timestamp()), int(low.timestamp()) + 60 * 3600
    while after - before > 1:
        middle = (before + after) // 2
        if dt.datetime.fromtimestamp(middle, zone).date() >= date:
            after = middle
        else:
            before = middle
    return dt.datetime.fromtimestamp(after, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def days(case):
    date, zone = dt.date.fromisoformat(case["date"]), ZoneInfo(case["zone"])
    return first_instant(zone, date), first_instant(zone, date + dt.timedelta(days=1))


def zones(case):
    return case["zone"].lower() in ZONES


def phrases(case):
    now = dt.datetime.fromisoformat(case["now"].replace("Z", "+00:00"))
    zone = ZoneInfo(case["zone"])
    date = now.astimezone(zone).date()
    which, _, unit = case["phrase"].rpartition(" ")
    moved = {"last": -1, "this": 0, "next": 1, "": {"yesterday": -1, "today": 0, "tomorrow": 1}.get(unit)}[which]
    if unit == "month":
        months = [divmod(date.year * 12 + date.month - 1 + moved + more, 12) for more in (0, 1)]
        first, last = (dt.date(year, month + 1, 1) for year, month in months)
    elif unit == "year":
        first, last = (dt.date(date.year + moved + more, 1, 1) for more in (0, 1))
    else:
        first, last = (date + dt.timedelta(days=moved + more) for more in (0, 1))
    return first_instant(zone, first), first_instant(zone, last)


def hosts(case):
    host = case["host"].lower().removesuffix(".")
    # Also "0x7f.1" and "2130706433" are IPv4 addresses.
    for read in (socket.inet_aton, lambda text: ipaddress.IPv6Address(text.strip("[]"))):
        try:
            read(host)
            return False
        except (OSError, ValueError):
            pass
    return host != "localhost" and not host.endswith(".localhost")


def state(case):
    change = case["set"] if isinstance(case["set"], dict) else {}
    return {name: value for name, value in {**case["kept"], **change}.items() if value is not None}


def traceparent(text):
    match = PARENT.fullmatch(text)
    if match is None or match[1] == "ff" or (match[1] == "00" and match[5]):
        return False
    return set(match[2]) != {"0"} and set(match[3]) != {"0"}


def tracestate(text):
    members = [member.partition("=") for member in (part.strip() for part in text.split(",")) if member]
    fits = (NAME.fullmatch(name) and equals and "=" not in value for name, equals, value in members)
    return len(members) <= 32 and all(fits)


def trace(case):
    if "traceparent" in case:
        return traceparent(case["traceparent"])
    if "tracestate" in case:
        return tracestate(case["tracestate"])
    members = (MEMBER.fullmatch(part.strip()) for part in case["baggage"].split(","))
    return [[member[1], unquote(member[2])] for member in members if member]


def met(needs, own):
    def one(key, need):
        has = own.get(key)
        if key == "elicitation" and has == {}:
            has = {"form": {}}
        if isinstance(need, dict):
            return isinstance(has, dict) and met(need, has)
        if isinstance(need, list):
            return isinstance(has, list) and all(part in has for part in need)
        return has == need

    return all(one(key, need) for key, need in needs.items())


READERS = {
    "agreement": (agreement, lambda case: case["agree"]),
    "negotiation": (negotiation, lambda case: case["chosen"]),
    "zones": (zones, lambda case: case["valid"]),
    "days": (days, lambda case: (case["start"], case["end"])),
    "phrases": (phrases, lambda case: (case["start"], case["end"])),
    "hosts": (hosts, lambda case: case["allowed"]),
    "state": (state, lambda case: case["after"]),
    "trace": (trace, lambda case: case["members"] if "baggage" in case else case["valid"]),
    "capabilities": (lambda case: met(case["requires"], case["declares"]), lambda case: case["met"]),
}

failed = 0
for name, (read, expected) in READERS.items():
    cases = json.loads((HERE / f"{name}.json").read_text("utf-8"))["cases"]
    if name == "hosts":
        cases = [case for case in cases if case["rule"] != "STATE-36"]
    for case in cases:
        if read(case) != expected(case):
            failed += 1
            print(f"{name} {case['rule']}: expected {expected(case)}, got {read(case)} for {json.dumps(case)}")
    print(f"{name}: {len(cases)} cases")
sys.exit(1 if failed else 0)
