"""What is read: records of `tesela bench`, in families that differ in size alone, and traces."""
import json
import math
import os

SIZES = "mnk"


class Refused(Exception):
    pass


def is_number(v):
    return isinstance(v, (int, float)) and not isinstance(v, bool) and math.isfinite(v)


class Found:
    def __init__(self):
        self.files, self.records, self.traces, self.simulated = [], [], [], []  # traces: (file, events), simulated: (file, of the clock)
        self.wrong = []  # what was measured, but whose result was not right: told, not drawn


class Family:
    """Records of one routine, type, parameters, devices, tile, variant, way of products and commit, by the size that grows
    ("" for all at once)."""

    def __init__(self, of, grows, fixed, commit):
        self.of, self.grows, self.fixed, self.commit = of, grows, fixed, commit  # commit: "" where all records are of the same one
        self.at = {}  # record by size

    def title(self):
        r = self.of
        parts = [r["type"] + r["routine"], r["params"].replace(",", ", "), ", ".join(f"{d} = {v}" for d, v in self.fixed)]
        parts += [f"tile {r['tile']}" if r.get("tile") else "", "" if r["variant"] == "auto" else "variant " + r["variant"]]
        parts += ["products " + r["products"] if r.get("products") else "", "on " + r["devices"]]
        parts.append(f"commit {self.commit}" if self.commit else "")
        return " · ".join(p for p in parts if p)

    def axis(self):
        return self.grows or " = ".join(sizes(self.of))

    def by_bytes(self):
        return not is_number(self.of.get("gflops"))

    def unit(self):
        return "TB/s" if self.by_bytes() else "Tflop/s"

    def rate(self, r, seconds):
        return (r["gbytes"] if self.by_bytes() else r["gflops"]) * r["seconds"] / seconds / 1e3

    def limit(self, r):
        """What the hardware can, of this kind of rate: no less than what anything in these records has reached."""
        known = [v for v in (q.get("limit") for q in self.at.values()) if is_number(v) and v > 0]
        if not known or not is_number(r.get("limit")) or r["limit"] <= 0:
            return None
        times = [(q, t) for q in self.at.values() for t in (q["seconds"], *(self.rival_seconds(q, name) for name in self.rivals())) if t]
        return max(*(v / 1e3 for v in known), *(self.rate(q, t) for q, t in times))

    def computes(self):
        """Whose joules count: the GPU's where there is one."""
        return "gpu" if self.of["devices"].startswith("cuda") else "cpu"

    def rivals(self):
        return sorted({name for r in self.at.values() for name in (r.get("vs") or {})})

    def rival_seconds(self, r, name):
        seconds = ((r.get("vs") or {}).get(name) or {}).get("seconds")
        return seconds if is_number(seconds) and seconds > 0 else None


def sizes(r):
    return {d: r[d] for d in SIZES if is_number(r.get(d))}


def check(r, file):
    """Refuses what is no record; of one whose result was not right, says which it is."""
    if not isinstance(r, dict) or not all(isinstance(r.get(f), str) for f in ("routine", "type", "params", "devices", "variant")):
        raise Refused(f"{file}: not a record of tesela bench")
    what = f"{file}: {r['type']}{r['routine']} {r['params']} {sizes(r)}"
    if r.get("ok") is False:
        return what
    if not is_number(r.get("seconds")) or r["seconds"] <= 0 or not sizes(r):
        raise Refused(f"{what}: no time or no size")
    if not is_number(r.get("gflops")) and not is_number(r.get("gbytes")):
        raise Refused(f"{what}: no rate")
    for name, v in (r.get("vs") or {}).items():
        if is_number(v.get("seconds")) and is_number(v.get("ratio")) and abs(v["ratio"] * r["seconds"] / v["seconds"] - 1) > 1e-3:
            raise Refused(f"{what}: the ratio to {name} is not that of the seconds")
    return None


def json_files(path):
    if os.path.isdir(path):
        return [os.path.join(path, f) for f in sorted(os.listdir(path)) if f.endswith(".json")]
    return [path]


def parse(text):
    """A writer that was killed may have left out the closing bracket, and nothing else."""
    try:
        return json.loads(text)
    except ValueError:
        if not text.startswith("["):
            raise
        return json.loads(text + "]")


def load(paths):
    found = Found()
    for file in (f for p in paths for f in json_files(p)):
        try:
            with open(file, encoding="utf-8") as f:
                content = parse(f.read())
        except (ValueError, UnicodeDecodeError) as e:
            raise Refused(f"{file}: not JSON: {e}") from e
        if isinstance(content, dict) and "scatter" in content:
            content = [content]
        if not isinstance(content, list) or not content:
            raise Refused(f"{file}: neither records of tesela bench or of the clock nor a trace")
        found.files.append(file)
        if isinstance(content[0], dict) and "scatter" in content[0]:
            found.simulated += [(os.path.basename(file), one) for one in content]
            continue
        if isinstance(content[0], dict) and "ph" in content[0]:
            found.traces.append((os.path.basename(file), content))
            continue
        for r in content:
            wrong = check(r, file)
            if wrong:
                found.wrong.append(wrong)
            else:
                found.records.append(r)
    if not found.files:
        raise Refused("there is nothing to show")
    return found


def families(records):
    """In the order of the records; of a size measured twice the later. A record of several sizes is in the families where one of them
    grows; in one alone if it is the only one there."""
    found = {}
    several = len({r.get("commit") for r in records}) > 1
    for r in records:
        commit = r.get("commit") or "unknown" if several else ""
        have = sizes(r)
        ways = [("", next(iter(have.values())))] if len(set(have.values())) == 1 else have.items()
        for grows, size in ways:
            fixed = tuple((d, v) for d, v in have.items() if grows and d != grows)
            key = (r["routine"], r["type"], r["params"], r["devices"], r.get("tile") or 0, r["variant"], r.get("products"),
                   grows, fixed, commit)
            found.setdefault(key, Family(r, grows, fixed, commit)).at[size] = r
    told = {id(r) for f in found.values() if len(f.at) > 1 for r in f.at.values()}
    kept = []
    for f in found.values():
        if len(f.at) > 1 or id(f.of) not in told:
            told.update(id(r) for r in f.at.values())
            kept.append(f)
    return kept
