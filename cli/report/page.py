"""The page: what ran where, a picture and a table for each family of records, a timeline for each trace."""
from html import escape

import charts
import records
import simulated

STYLE = """body { font: 15px/1.5 system-ui, sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; color: #222 }
table { border-collapse: collapse; margin: 0.5em 0 2em } th, td { padding: 0.15em 0.8em; text-align: right; border-bottom: 1px solid #ddd }
th:first-child, td:first-child { text-align: left } .better { color: #00563f; font-weight: 600 } .worse { color: #a33b00 }
svg { max-width: 100%; height: auto } h2 { margin-top: 2em; font-size: 1.2em } .machine td { text-align: left }"""


def cell(text, kind=""):
    return f'<td class="{kind}">{escape(str(text))}</td>' if kind else f"<td>{escape(str(text))}</td>"


def ratio(family, r, name):
    seconds = family.rival_seconds(r, name)
    if not seconds:
        return cell("–")
    value = seconds / r["seconds"]
    return cell(f"{value:.2f}×", "better" if value >= 1 else "worse")


def energy(family, r, rivals):
    """Joules of a call by what computed it, the rate per watt, and the rivals' joules; what was not readable is told so."""
    part = family.computes()
    told = r.get("energy") or {}
    own = told.get(part + "_joules")
    rate = told.get("gbytes_per_watt" if family.by_bytes() else "gflops_per_watt")
    absent = cell("not readable" if told else "–")
    cells = [cell(f"{own:.4g}") if records.is_number(own) else absent, cell(f"{rate:.3g}") if records.is_number(rate) else absent]
    for name in rivals:
        joules = ((r.get("vs") or {}).get(name) or {}).get(part + "_joules")
        cells.append(cell(f"{joules:.4g}") if records.is_number(joules) else cell("–"))
    return cells


def table(family):
    rivals = family.rivals()
    measured = any(r.get("energy") for r in family.at.values())
    head = [family.axis(), "seconds", family.unit(), "of the limit", *(f"against {n}" for n in rivals), "residual"]
    if measured:
        part = family.computes().upper()
        head += [f"J, {part}", ("GB/s" if family.by_bytes() else "Gflop/s") + " per W", *(f"J, {part}, {n}" for n in rivals)]
    rows = []
    for size in sorted(family.at):
        r = family.at[size]
        rate = family.rate(r, r["seconds"])
        limit = family.limit(r)
        cells = [cell(size), cell(f"{r['seconds']:.3e}"), cell(f"{rate:.3g}"), cell(f"{100 * rate / limit:.0f} %" if limit else "–")]
        cells += [ratio(family, r, n) for n in rivals]
        cells.append(cell(f"{r['residual']:.2g}" if records.is_number(r.get("residual")) else "–"))
        if measured:
            cells += energy(family, r, rivals)
        rows.append("<tr>" + "".join(cells) + "</tr>")
    return "<table><tr>" + "".join(f"<th>{escape(h)}</th>" for h in head) + "</tr>" + "".join(rows) + "</table>"


def machines(found):
    """What the records say they were measured on and with, each once."""
    rows = []
    for field, name in (("gpu", "GPU"), ("cpu", "CPU"), ("libraries", "libraries"), ("version", "Tesela"), ("commit", "commit"), ("date", "measured")):
        values = list(dict.fromkeys(str(r[field])[:10 if field == "date" else None] for r in found.records if r.get(field)))
        if values:
            rows.append(f"<tr><td>{name}</td><td>{escape('; '.join(values))}</td></tr>")
    return f'<table class="machine">{"".join(rows)}</table>' if rows else ""


def path(point):
    """Of the chain of work and messages that ends last, percent: products, panels, copies, messages; of eigenproblems chases and sums, too"""
    products, panels, copies, tridiagonal = parts = [point.grid.get("path_" + name) or 0 for name in ("products", "panels", "copies", "tridiagonal")]
    shown = [products, panels, copies, point.grid["seconds"] - sum(parts)] + ([tridiagonal] if tridiagonal else [])
    return " ".join(f"{100 * p / point.grid['seconds']:.0f}" for p in shown)


def simulations(found):
    parts = []
    for together in simulated.by_assumptions(found):
        first = together[0]
        names = ", ".join(f.routine for f in together)
        parts.append(f"<h2>Simulated, not measured: {escape(names)}, {escape(first.law())}</h2>")
        parts.append(f"<p>{escape(simulated.text(first.points[0]))}</p>" + simulated.picture(together))
        head = ["routine", "processes", "grid", "nb", "n", "seconds", "efficiency", "path: products, panels, copies, messages %"]
        rows = []
        for f in together:
            best = f.best()
            for p in f.points:
                share = cell(f"{100 * p.grid['efficiency']:.1f} %", "better" if p in best else "")
                texts = (f.routine, p.count, p.shape, f"{p.head['nb']:.0f}", f"{p.n:.0f}", f"{p.grid['seconds']:.4g}")
                rows.append("<tr>" + "".join(cell(t) for t in texts) + share + cell(path(p)) + "</tr>")
        parts.append("<table><tr>" + "".join(f"<th>{escape(h)}</th>" for h in head) + "</tr>" + "".join(rows) + "</table>")
    return parts


def drawing(found):
    """The picture alone of what was simulated"""
    pictures = simulated.by_assumptions(found)
    if len(pictures) != 1 or found.records or found.traces:
        raise records.Refused("a picture alone is of simulations of one machine and one law of sizes")
    return simulated.picture(pictures[0])


def make(found):
    title = "Tesela: measured" if found.records or found.traces or not found.simulated else "Tesela: simulated"
    parts = [f"<h1>{title}</h1>", machines(found)]
    if found.wrong:
        parts.append("<p>Left out, since the result was not right or the run failed: " + escape("; ".join(found.wrong)) + ".</p>")
    for family in records.families(found.records):
        parts.append(f"<h2>{escape(family.title())}</h2>")
        if len(family.at) > 1:
            parts.append(charts.rates(family))
        parts.append(table(family))
    for name, events in found.traces:
        picture = charts.timeline(events)
        parts.append(f"<h2>{escape(name)}: tasks (blue) and transfers (orange)</h2>" + (picture or "<p>Nothing ran.</p>"))
    parts += simulations(found)
    return f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>{STYLE}</style></head>\n<body>{"".join(parts)}</body></html>\n'
