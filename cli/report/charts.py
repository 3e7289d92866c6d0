"""Pictures by matplotlib, as SVG that goes into the page."""
import io

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.hashsalt": "tesela", "font.size": 9, "axes.spines.top": False, "axes.spines.right": False})
import matplotlib.pyplot as plt  # noqa: E402

# The colours of Okabe and Ito, told apart with any colour vision; marks differ too, for print in grey.
TESELA = "#0072B2"
RIVALS = {"cublas": ("#D55E00", "s"), "cusolver": ("#009E73", "D"), "openblas": ("#CC79A7", "^"), "scalapack": ("#E69F00", "v")}
OTHER = ("#56B4E9", "x")
LIMIT = "#888888"


def svg(figure):
    out = io.StringIO()
    figure.savefig(out, format="svg", bbox_inches="tight", metadata={"Date": None})
    plt.close(figure)
    text = out.getvalue()
    return text[text.index("<svg"):]


def rates(family):
    """Rate against size: Tesela, the rivals of the same run, and the hardware's limit where the records know it."""
    at = sorted(family.at)
    figure, axes = plt.subplots(figsize=(6.4, 3.2))
    axes.plot(at, [family.rate(family.at[s], family.at[s]["seconds"]) for s in at], color=TESELA, marker="o", linewidth=2.5, label="Tesela", zorder=3)
    for name in family.rivals():
        colour, mark = RIVALS.get(name, OTHER)
        points = [(s, family.rate(family.at[s], t)) for s in at if (t := family.rival_seconds(family.at[s], name))]
        if points:
            axes.plot(*zip(*points), color=colour, marker=mark, linestyle="--", label=name)
    limits = [family.limit(family.at[s]) for s in at]
    if all(limits):
        axes.plot(at, limits, color=LIMIT, linestyle=":", label="the hardware's limit")
    if at[0] > 0 and at[-1] / at[0] >= 4:
        axes.set_xscale("log", base=2)
    axes.set_xticks(at, [str(s) for s in at], rotation=0 if len(at) < 8 else 45)
    axes.minorticks_off()
    axes.set_ylim(bottom=0)
    axes.set_xlabel(family.axis())
    axes.set_ylabel(family.unit())
    axes.grid(axis="y", color="#DDDDDD")
    axes.legend(frameon=False)
    return svg(figure)


def efficiencies(title, curves):
    """Percent against the number of processes, a curve a routine"""
    figure, axes = plt.subplots(figsize=(6.4, 3.2))
    marks = [(TESELA, "o"), *RIVALS.values(), OTHER]
    for i, (name, points) in enumerate(curves):
        colour, mark = marks[i % len(marks)]
        axes.plot(*zip(*points), color=colour, marker=mark, label=name)
    counts = sorted({c for _, points in curves for c, _ in points})
    axes.set_xscale("log", base=2)
    axes.set_xticks(counts, [str(c) for c in counts])
    axes.minorticks_off()
    axes.set_ylim(0, 100)
    axes.set_xlabel("processes")
    axes.set_ylabel("percent")
    axes.set_title(title, fontsize=9)
    axes.grid(axis="y", color="#DDDDDD")
    axes.legend(frameon=False)
    return svg(figure)


def timeline(events):
    """Of a trace: what each lane of each device did when, tasks beside transfers."""
    names = {(e["pid"], None if e["name"] == "process_name" else e["tid"]): e["args"]["name"]
             for e in events if e.get("ph") == "M" and e.get("name") in ("process_name", "thread_name")}
    spans = [e for e in events if e.get("ph") == "X"]
    if not spans:
        return None
    begin = min(e["ts"] for e in spans)
    lanes = sorted({(e["pid"], e["tid"]) for e in spans})
    figure, axes = plt.subplots(figsize=(9.6, 0.6 + 0.32 * len(lanes)))
    for row, (pid, tid) in enumerate(lanes):
        for kind, colour in ((True, RIVALS["cublas"][0]), (False, TESELA)):
            own = [((e["ts"] - begin) / 1e3, e["dur"] / 1e3) for e in spans if (e["pid"], e["tid"]) == (pid, tid) and (e.get("cat") == "transfer") == kind]
            axes.broken_barh(own, (row - 0.4, 0.8), facecolors=colour, edgecolors=colour, linewidths=1)  # the shortest is seen too
    axes.set_yticks(range(len(lanes)), [f"{names.get((p, None), f'device {p}').split(':')[0]}, {names.get((p, t), t)}" for p, t in lanes])
    axes.invert_yaxis()
    axes.set_xlabel("milliseconds")
    return svg(figure)
