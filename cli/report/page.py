"""The page: what ran where, a picture and a table for each family of records, a timeline for each trace."""
from html import escape

import charts
import records

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


def make(found):
    parts = ["<h1>Tesela: measured</h1>", machines(found)]
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
    return f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Tesela: measured</title><style>{STYLE}</style></head>\n<body>{"".join(parts)}</body></html>\n'
