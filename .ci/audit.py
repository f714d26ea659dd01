"""Look for known holes in what is installed; a machine without a network is told so, not failed.

pip-audit asks the advisory database OSV about every package of this environment; `OSV_URL` is
another place that speaks its protocol. Exit 1 for a finding, 0 for none, or if nobody answers.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

WAIT_S = 300
CONNECT_S = 10
URL = "https://api.osv.dev/v1/query"


def audited(url: str) -> tuple[dict[str, Any] | None, str]:
    """Run pip-audit: (what it found, or None if it can't say; why it can't)."""
    with tempfile.TemporaryDirectory() as folder:
        found = Path(folder) / "found.json"
        command = [
            *(sys.executable, "-m", "pip_audit", "--local", "--skip-editable"),
            *("--progress-spinner", "off", "--timeout", str(CONNECT_S)),
            *("--vulnerability-service", "osv", "--osv-url", url),
            *("--cache-dir", folder, "--format", "json", "--output", str(found)),
        ]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=WAIT_S, check=False
            )
        except subprocess.TimeoutExpired:
            return None, f"no answer within {WAIT_S} s"
        if not found.exists():
            lines = done.stderr.strip().splitlines() or ["it says nothing"]
            return None, lines[-1]
        return json.loads(found.read_text()), ""


def main() -> int:
    """Say in one line what became of it, after a line for each finding."""
    whole, why = audited(os.environ.get("OSV_URL", URL))
    if whole is None:
        print(f"Dependency audit NOT DONE, the advisory database can't be asked: {why[:200]}")
        return 0
    packages = whole["dependencies"]
    holes = [(one, hole) for one in packages for hole in one.get("vulns", ())]
    for one, hole in holes:
        mended = ", ".join(hole["fix_versions"]) or "none yet"
        print(f"{one['name']} {one['version']}: {hole['id']}; mended in: {mended}")
    asked = sum("vulns" in one for one in packages)
    print(f"Dependency audit: {asked} packages, {len(holes)} known holes")
    return 1 if holes else 0


if __name__ == "__main__":
    sys.exit(main())
