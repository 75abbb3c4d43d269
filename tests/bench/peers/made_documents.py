"""Documents like Bluesky's events, and rows like those of a web analytics log: made up, and equal for equal arguments."""
import json
import random

FIRST_US = 1_767_225_600_000_000  # 2026-01-01
_LETTERS = "234567abcdefghijklmnopqrstuvwxyz"
_WORDS = ("the of and to in is you that it was for on are as with his they at be this have from or one had by word but not what "
          "all "
          "were we when your can said there use an each which she do how their if will up other about out many then them these so "
          "some her would make like him into time has look two more write go see number no way could people my than first water "
          "been call who oil its now find long down day did get come made may part sunrise garden train coffee release "
          "patch").split()
# The share of each collection, and of its operations.
_COLLECTIONS = [("app.bsky.feed.like", 46), ("app.bsky.graph.follow", 20), ("app.bsky.feed.post", 17), ("app.bsky.feed.repost", 9),
                ("app.bsky.graph.block", 3), ("app.bsky.graph.listitem", 2), ("app.bsky.actor.profile", 1.5),
                ("app.bsky.feed.threadgate", 0.6), ("app.bsky.graph.list", 0.3), ("app.bsky.feed.generator", 0.2),
                ("app.bsky.graph.starterpack", 0.2), ("app.bsky.feed.postgate", 0.2)]


class _Draws:
    """Random parts of documents."""

    def __init__(self, seed, people):
        self.random = random.Random(seed)
        self._people = ["did:plc:" + self.text(24) for _ in range(people)]

    def text(self, length):
        return "".join(self.random.choices(_LETTERS, k=length))

    def person(self):
        """Few people do much."""
        return self._people[int(len(self._people) * self.random.random() ** 2.5)]

    def words(self, least, most):
        return " ".join(self.random.choices(_WORDS, k=self.random.randint(least, most)))

    def cid(self):
        return "bafyrei" + self.text(52)

    def link(self, collection):
        return {"cid": self.cid(), "uri": f"at://{self.person()}/{collection}/{self.text(13)}"}


def write_documents(path, count, seed=1):
    draw = _Draws(seed, max(10, count // 8))
    names, weights = zip(*_COLLECTIONS)
    time = FIRST_US
    with open(path, "w", encoding="utf-8") as file:
        for _ in range(count):
            time += draw.random.randint(1, 400_000)
            event = {"did": draw.person(), "time_us": time, "kind": "commit"}
            other = draw.random.random()
            if other < 0.006:
                event["kind"] = "identity"
                event["identity"] = {"did": event["did"], "handle": draw.text(9) + ".bsky.example", "seq": time // 7,
                                     "time": _iso(time)}
            elif other < 0.012:
                event["kind"] = "account"
                event["account"] = {"active": other < 0.011, "did": event["did"], "seq": time // 7, "time": _iso(time)}
            else:
                event["commit"] = _commit(draw, draw.random.choices(names, weights)[0], time)
            file.write(json.dumps(event, separators=(",", ":")) + "\n")


def _iso(time):
    seconds, micros = divmod(time, 1_000_000)
    day, second = divmod(seconds, 86_400)
    # The first of January plus days; a run has some weeks at most.
    day -= FIRST_US // 86_400_000_000
    month, day = divmod(day, 28)
    return f"2026-{1 + month % 12:02}-{day + 1:02}T{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}.{micros // 1000:03}Z"


def _commit(draw, collection, time):
    commit = {"rev": draw.text(13), "operation": "create", "collection": collection, "rkey": draw.text(13)}
    if draw.random.random() < 0.05:
        commit["operation"] = "delete"
        return commit
    if collection == "app.bsky.actor.profile":
        commit["operation"] = "update" if draw.random.random() < 0.7 else "create"
    record = {"$type": collection, "createdAt": _iso(time)}
    if collection in ("app.bsky.feed.like", "app.bsky.feed.repost"):
        record["subject"] = draw.link("app.bsky.feed.post")
    elif collection in ("app.bsky.graph.follow", "app.bsky.graph.block"):
        record["subject"] = draw.person()
    elif collection == "app.bsky.feed.post":
        _post(draw, record)
    elif collection == "app.bsky.actor.profile":
        record.update(displayName=draw.words(1, 3), description=draw.words(3, 25), avatar={
            "$type": "blob", "ref": {"$link": draw.cid()}, "mimeType": "image/jpeg", "size": draw.random.randint(9_000, 900_000)})
    else:
        record.update(name=draw.words(1, 4), description=draw.words(0, 12), list=f"at://{draw.person()}/app.bsky.graph.list/x")
    commit.update(record=record, cid=draw.cid())
    return commit


def _post(draw, record):
    record.update(text=draw.words(2, 40), langs=draw.random.choice((["en"], ["ja"], ["pt"], ["de", "en"], ["es"])))
    kind = draw.random.random()
    if kind < 0.45:
        record["reply"] = {"parent": draw.link("app.bsky.feed.post"), "root": draw.link("app.bsky.feed.post")}
    if 0.4 < kind < 0.6:
        record["embed"] = {"$type": "app.bsky.embed.images", "images": [
            {"alt": draw.words(0, 9), "aspectRatio": {"height": 1200, "width": 900}, "image": {
                "$type": "blob", "ref": {"$link": draw.cid()}, "mimeType": "image/jpeg",
                "size": draw.random.randint(9_000, 900_000)}}
            for _ in range(draw.random.randint(1, 3))]}
    elif kind > 0.85:
        record["embed"] = {"$type": "app.bsky.embed.external", "external": {
            "uri": f"https://{draw.random.choice(_WORDS)}.example/{draw.text(8)}", "title": draw.words(3, 10),
            "description": draw.words(5, 25)}}
        record["facets"] = [{"features": [{"$type": "app.bsky.richtext.facet#link", "uri": "https://example.com/" + draw.text(6)}],
                             "index": {"byteStart": 0, "byteEnd": draw.random.randint(5, 60)}}]


def write_hits(path, count, seed=1):
    draw = _Draws(seed, max(10, count // 6))
    dice = draw.random
    people = [dice.getrandbits(62) for _ in range(max(10, count // 6))]
    hosts = [f"http://{dice.choice(_WORDS)}{number}.example" for number in range(300)] + ["http://google.example/maps"] * 3
    pages = [f"{dice.choice(hosts)}/{dice.choice(_WORDS)}/{draw.text(6)}.html" for _ in range(max(100, count // 10))]
    phrases = [draw.words(1, 5) for _ in range(max(50, count // 60))]
    time = FIRST_US
    with open(path, "w", encoding="utf-8") as file:
        for _ in range(count):
            time += dice.randint(1, 2_000_000)
            searched = dice.random() < 0.13
            mobile = dice.random() < 0.2
            row = {"WatchID": dice.getrandbits(62), "EventTime": time, "CounterID": int(100 * dice.random() ** 3),
                   "UserID": people[int(len(people) * dice.random() ** 2.2)], "RegionID": int(900 * dice.random() ** 4),
                   "ClientIP": dice.getrandbits(31), "OS": int(90 * dice.random() ** 3), "UserAgent": int(80 * dice.random() ** 2),
                   "URL": pages[int(len(pages) * dice.random() ** 3)], "Title": draw.words(2, 9),
                   "Referer": pages[int(len(pages) * dice.random() ** 2)] if dice.random() < 0.7 else "",
                   "SearchPhrase": phrases[int(len(phrases) * dice.random() ** 3)] if searched else "",
                   "SearchEngineID": dice.randint(1, 30) if searched else 0,
                   "AdvEngineID": dice.randint(1, 30) if dice.random() < 0.03 else 0,
                   "TraficSourceID": dice.randint(-1, 9), "MobilePhone": dice.randint(1, 60) if mobile else 0,
                   "MobilePhoneModel": dice.choice(("iPad", "iPhone 4", "Lumia", "Galaxy S")) if mobile else "",
                   "ResolutionWidth": dice.choice((320, 768, 1024, 1280, 1366, 1440, 1600, 1920)),
                   "WindowClientWidth": dice.randint(300, 1900), "WindowClientHeight": dice.randint(200, 1100),
                   "IsRefresh": int(dice.random() < 0.1), "IsLink": int(dice.random() < 0.2),
                   "IsDownload": int(dice.random() < 0.01), "DontCountHits": int(dice.random() < 0.05),
                   "URLHash": dice.getrandbits(62)}
            file.write(json.dumps(row, separators=(",", ":")) + "\n")
