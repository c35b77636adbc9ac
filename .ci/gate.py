"""Print the figures of `klopt report --format json`; exit with 1 beyond a given limit."""

from __future__ import annotations

import json
import sys
from pathlib import Path


def share_of(name: str, text: str) -> float:
    """Return a limit from its text."""
    try:
        if 0 <= (share := float(text)) <= 1:
            return share
    except ValueError:
        pass
    sys.exit(f'{name} is "{text}", and must be a share from 0 to 1, such as 0.05')


def main(figures: str, blocked: str, sent: str) -> int:
    """Print a Markdown table and the limits that are exceeded."""
    most_blocked, least_sent = share_of("most-blocked", blocked), share_of("least-sent", sent)
    report = json.loads(Path(figures).read_text("utf-8"))
    verdicts = report["verdicts"]
    answers = sum(verdicts.values())
    shares = {name: count / max(1, answers) for name, count in verdicts.items()}
    print("| klopt | answers | share |", "|---|---:|---:|", sep="\n")
    for name, count in verdicts.items():
        print(f"| {name} | {count} | {shares[name]:.0%} |")
    if report["unread"]:
        print(f"| not read | {report['unread']} | |")
    problems = []
    if shares["block"] > most_blocked:
        problems.append(f"{shares['block']:.0%} is blocked; at most {most_blocked:.0%} may be")
    if shares["send"] < least_sent:
        problems.append(f"{shares['send']:.0%} can be sent; at least {least_sent:.0%} must be")
    print("".join(f"\n**{one}**" for one in problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
