"""Runs the tests without pytest, and says the results as TAP: python3 run.py [NAME...]. 77: there is no NumPy, or all was
skipped."""

from __future__ import annotations

import importlib.util
import sys
import unittest
from pathlib import Path
from typing import Any

here = Path(__file__).resolve().parent


class Tap(unittest.TextTestResult):
    number = 0

    def _line(self, good: bool, test: Any, note: str = "") -> None:
        self.number += 1
        print(f"{'ok' if good else 'not ok'} {self.number} - {test.id()}{note}", flush=True)

    def addSuccess(self, test: Any) -> None:
        super().addSuccess(test)
        if not any(failed is test or getattr(failed, "test_case", None) is test for failed, _ in self.failures + self.errors):
            self._line(True, test)

    def addSkip(self, test: Any, reason: str) -> None:
        super().addSkip(test, reason)
        self._line(True, test, f" # SKIP {reason}")

    def addFailure(self, test: Any, error: Any) -> None:
        super().addFailure(test, error)
        self._line(False, test)

    def addError(self, test: Any, error: Any) -> None:
        super().addError(test, error)
        self._line(False, test)

    def addSubTest(self, test: Any, subtest: Any, error: Any) -> None:
        super().addSubTest(test, subtest, error)
        if error is not None:
            self._line(False, subtest)


def main() -> int:
    if importlib.util.find_spec("numpy") is None:
        print("1..0 # SKIP no NumPy here")
        return 77
    sys.path.insert(0, str(here))
    loader = unittest.TestLoader()
    if len(sys.argv) > 1:
        tests = loader.loadTestsFromNames(sys.argv[1:])
    else:
        tests = loader.discover(str(here), "test_*.py")
    result = unittest.TextTestRunner(stream=sys.stderr, resultclass=Tap, verbosity=0).run(tests)
    print(f"1..{result.number if isinstance(result, Tap) else 0}")
    if not result.wasSuccessful() or not (result.testsRun or result.skipped):
        return 1
    return 77 if isinstance(result, Tap) and result.number == len(result.skipped) else 0


if __name__ == "__main__":
    sys.exit(main())
