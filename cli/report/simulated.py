"""What `tesela explain --clock --json` has simulated, in families: the same routine and assumptions, and either the
same order for all grids, or the same rows and columns of a process."""
import math

import charts
import records

ASSUMED = ("devices", "rate", "latency", "bandwidth", "near_latency", "near_bandwidth", "node", "lu_column", "qr_column",
           "scatter", "seed")


class Point:
    def __init__(self, head, grid, file):
        try:
            rows, cols = (int(p) for p in grid["grid"].split("x"))
        except (KeyError, ValueError, AttributeError) as e:
            raise records.Refused(f"{file}: a grid that is none") from e
        self.head, self.grid, self.count = head, grid, rows * cols
        self.shape = grid["grid"] + (f", nodes {grid['tile']}" if grid.get("tile") else "")
        for name in ("n", "seconds", "efficiency"):
            if not records.is_number(grid.get(name)) or grid[name] <= 0:
                raise records.Refused(f"{file}: {head['routine']} on {self.shape}: no {name}")
        self.n, self.each = grid["n"], round(grid["n"] / math.sqrt(self.count))


def points(found):
    for file, head in found.simulated:
        if not isinstance(head, dict) or not isinstance(head.get("routine"), str) or not isinstance(head.get("grids"), list):
            raise records.Refused(f"{file}: not of tesela explain --clock")
        if not all(records.is_number(head.get(name)) for name in ("nb", *ASSUMED[1:])):
            raise records.Refused(f"{file}: {head['routine']}: it does not say all that was assumed")
        yield from (Point(head, grid, file) for grid in head["grids"])


class Family:
    def __init__(self, routine, weak, size, found):
        self.routine, self.weak, self.size = routine, weak, size
        self.points = sorted(found, key=lambda p: (p.count, p.head["nb"], p.shape))

    def law(self):
        return f"n = {self.size} √P" if self.weak else f"n = {self.size}"

    def best(self):
        """Of each number of processes the shape and block that take the least time"""
        least = {}
        for p in self.points:
            if p.count not in least or p.grid["seconds"] < least[p.count].grid["seconds"]:
                least[p.count] = p
        return [least[c] for c in sorted(least)]


def assumed(point):
    return tuple(point.head.get(name) for name in (*ASSUMED, "peers"))


def name(head):
    return head["routine"] + (f" by {head['variant']}" if head.get("variant") else "")


def families(found):
    """What has one size alone is in the family where the part of a process stays."""
    groups = {}
    for p in found:
        groups.setdefault((name(p.head), assumed(p)), []).append(p)
    result = []
    for (routine, _), group in groups.items():
        for weak in (True, False):
            sizes = {}
            for p in group:
                sizes.setdefault(p.each if weak else p.n, []).append(p)
            for size, those in sizes.items():
                several = len({p.count for p in those}) > 1
                if several or weak and not any(q.n == p.n and q.count != p.count for p in those for q in group):
                    result.append(Family(routine, weak, size, those))
    return result


def text(point):
    """In words, all that was assumed"""
    h = point.head
    kind = "GPUs" if h.get("devices") == "cuda" else "Cores"
    return (f"{kind} of {h['rate'] / 1e12:.3g} Tflop/s in large products; {h['bandwidth'] / 1e9:.3g} GB/s and "
            f"{h['latency'] * 1e6:.3g} µs between nodes of {h['node']:.0f}, {h['near_bandwidth'] / 1e9:.3g} GB/s and "
            f"{h['near_latency'] * 1e6:.3g} µs within; {h['lu_column'] * 1e6:.3g} and {h['qr_column'] * 1e6:.3g} µs a column "
            f"of a panel of LU and of QR; processes slower by "
            f"{100 * h['scatter']:.3g} % |N(0,1)|, seed {h['seed']:.0f}."
            + (" GPUs of a node exchange pivots in their memory." if h.get("peers") else ""))


def by_assumptions(found):
    """Families that may be in one picture"""
    pictures = {}
    for f in families(list(points(found))):
        pictures.setdefault((f.weak, f.size, assumed(f.points[0])), []).append(f)
    return list(pictures.values())


def picture(together):
    return charts.efficiencies(f"Simulated, not measured: share of the rate of large products, {together[0].law()}",
                               [(f.routine, [(p.count, 100 * p.grid["efficiency"]) for p in f.best()]) for f in together])
