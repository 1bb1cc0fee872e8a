#!/usr/bin/env python3
"""Reads the console's HTTP API (docs/ask/export.md), with Python's own library alone.

    python3 docs/examples/console.py http://127.0.0.1:8490 [TOKEN_FILE]

In a notebook: `from console import Console`, then `pandas.DataFrame(Console(url).within(bbox))`.
"""

import json
import sys
import urllib.error
import urllib.parse
import urllib.request


class Console:
    """A console at an address; with the token if it wants one."""

    def __init__(self, url, token=None):
        self.url = url.rstrip("/")
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}

    def get(self, path, **parameters):
        """The answer; a refusal raises RuntimeError with what the console says."""
        given = {name.replace("_", "-").rstrip("-"): value for name, value in parameters.items()}
        query = urllib.parse.urlencode({k: v for k, v in given.items() if v is not None})
        request = urllib.request.Request(f"{self.url}/v1/{path}?{query}", headers=self.headers)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refusal:
            raise RuntimeError(json.load(refusal).get("detail", refusal.reason)) from refusal

    def where(self, user):
        """Where a device was last seen."""
        return self.get("where/" + urllib.parse.quote(user, safe=""))

    def within(self, bbox, limit=1000):
        """The devices last seen in a box: west, south, east, north."""
        return self.get("within", bbox=",".join(map(str, bbox)), limit=limit)["sightings"]

    def history(self, user, **range_):
        """All records of a device, page by page, oldest first. `from_` and `to` as ISO times."""
        path = "history/" + urllib.parse.quote(user, safe="")
        page = self.get(path, order="oldest-first", limit=10000, **range_)
        yield from page["sightings"]
        while "next" in page:
            page = self.get(path, token=page["next"], limit=10000)
            yield from page["sightings"]

    def visitors(self, corners, from_, to=None):
        """Who was in a polygon, given as (lon, lat) of each corner, in a time."""
        polygon = ",".join(f"{lon},{lat}" for lon, lat in corners)
        return self.get("visitors", polygon=polygon, from_=from_, to=to)["visitors"]


def main(url, token_file=None):
    token = None
    if token_file:
        with open(token_file, encoding="ascii") as file:
            token = file.read().strip()
    console = Console(url, token)
    devices = console.within([-180, -90, 180, 90], limit=5)
    print("The latest devices:")
    for device in devices:
        place = device["loc"]
        print(f"  {device['user']}  {device['ts']}  {place['lat']:.5f}, {place['lon']:.5f}")
    if devices:
        user = devices[0]["user"]
        records = list(console.history(user))
        print(f"Records of {user}: {len(records)}")
        if records:
            lon, lat = devices[0]["loc"]["lon"], devices[0]["loc"]["lat"]
            around = ((-0.01, -0.01), (0.01, -0.01), (0.01, 0.01), (-0.01, 0.01))
            found = console.visitors([(lon + x, lat + y) for x, y in around], records[0]["ts"])
            print(f"Devices within about 1 km of its last place since the first: {len(found)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
