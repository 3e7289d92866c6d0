"""tesela report: one page of HTML, complete in itself, from records of `tesela bench --json`, traces of TESELA_TRACE, and
simulations of `tesela explain --clock --json`.

Exit status: 0; 1 if a file is refused or the page cannot be written; 2 if the words make no sense."""
import argparse
import importlib.util
import os
import sys

SYSTEM = "/usr/bin/python3"  # where Debian's packages are, whatever python3 is first


class Words(argparse.ArgumentParser):
    def error(self, message):  # in one line, as the other commands
        self.exit(2, f"tesela: report: {message}; `tesela help report` tells them\n")


def main():
    words = Words(prog="tesela report", description="One page of HTML from benchmark records and traces.")
    words.add_argument("files", nargs="+", metavar="FILE.json",
                       help="records of `tesela bench --json`, folders of them, traces (TESELA_TRACE), or what `tesela explain --clock --json` says")
    words.add_argument("-o", dest="out", required=True, metavar="PAGE.html",
                       help="- is standard output; PICTURE.svg: of a simulation the picture alone")
    words = words.parse_args()
    if importlib.util.find_spec("matplotlib") is None:
        if os.path.exists(SYSTEM) and os.path.realpath(sys.executable) != os.path.realpath(SYSTEM):
            os.execv(SYSTEM, [SYSTEM] + sys.argv)
        return refuse("matplotlib is not there; on Debian and Ubuntu: apt-get install python3-matplotlib")
    import page
    import records
    try:
        found = records.load(words.files)
        if words.out != "-" and os.path.realpath(words.out) in (os.path.realpath(f) for f in found.files):
            return refuse(f"{words.out} is an input; it is not written over")
        write(words.out, page.drawing(found) if words.out.endswith(".svg") else page.make(found))
    except records.Refused as e:
        return refuse(e)
    except OSError as e:
        return refuse(f"{e.filename or ('standard output' if words.out == '-' else words.out)}: {e.strerror}")
    return 0


def write(name, text):
    """A file has its name only when it is whole; a device, a pipe or a link stays what it is."""
    if name == "-":
        with os.fdopen(os.dup(1), "wb") as f:  # closed here, so that what goes wrong is told here
            f.write(text.encode("utf-8"))
        return
    through = os.path.islink(name) or os.path.exists(name) and not os.path.isfile(name)
    unfinished = name if through else name + ".unfinished"
    with open(unfinished, "w", encoding="utf-8") as f:
        f.write(text)
    if not through:
        os.replace(unfinished, name)


def refuse(why):
    print(f"tesela: report: {why}", file=sys.stderr)
    return 1


sys.exit(main())
