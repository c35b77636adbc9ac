"""How long turns wait, and how many are cut off, where some of them are asked of an encoder too.

``python -m benchmarks.queue --rate 100 --workers 2 --share 0.3 --deadline-ms 50`` plays turns that
come at random, one by one or in bursts, before so many processes: each is scored by the profile,
some are then asked of an encoder in the same process, and at the deadline what is not done is cut
off. Times vary as a gamma distribution does; the same seed gives the same turns.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, fields
from heapq import heappop, heappush, heapreplace

import numpy as np

from benchmarks.timing import Figures, show


@dataclass(frozen=True, slots=True)
class Cascade:
    """What comes, and what there is for it.

    Attributes:
        rate: Turns a second, on average.
        burst: So many come together.
        workers: Processes that score.
        queue: Turns that wait or are worked on, for each process; more are refused.
        profile_ms: That scoring takes, on average.
        share: Of turns that the encoder is asked about too, 0 to 1.
        encoder_ms: That it takes, on average.
        deadline_ms: From when a turn came; an answer that takes longer is cut off.
        count: Turns that are played.
        shape: Of the gamma distribution; 1 is the exponential one, more is more even.
        seed: Of what is drawn.
    """

    rate: float = 100.0
    burst: int = 1
    workers: int = 2
    queue: float = 4.0
    profile_ms: float = 4.0
    share: float = 0.3
    encoder_ms: float = 90.0
    deadline_ms: float = 50.0
    count: int = 100_000
    shape: float = 4.0
    seed: int = 7

    def play(self) -> Figures:
        """Shares of all turns, 0 to 1, the load of a process, and waiting in milliseconds."""
        draw = np.random.default_rng(self.seed)
        groups = draw.exponential(1000 * self.burst / self.rate, -(-self.count // self.burst))
        arrivals = np.repeat(np.cumsum(groups), self.burst)[: self.count]
        scored, asked = (
            draw.gamma(self.shape, ms / self.shape, self.count)
            for ms in (self.profile_ms, self.encoder_ms)
        )
        is_asked = draw.random(self.count) < self.share
        free_ms, ends_ms = [0.0] * self.workers, list[float]()
        waits, refused, unscored, unasked, busy_ms = [], 0, 0, 0, 0.0
        for came, own, more in zip(
            arrivals.tolist(), scored.tolist(), (asked * is_asked).tolist(), strict=True
        ):
            while ends_ms and ends_ms[0] <= came:
                heappop(ends_ms)
            if len(ends_ms) >= self.queue * self.workers:
                refused += 1
                continue
            begin, late = max(came, free_ms[0]), came + self.deadline_ms
            end = max(begin, min(begin + own + more, late))
            waits.append(begin - came)
            unscored += begin + own > late
            unasked += begin + own <= late < begin + own + more
            busy_ms += end - begin
            heapreplace(free_ms, end)
            heappush(ends_ms, end)
        p50, p99 = np.percentile(waits, [50, 99])
        return {
            "refused_share": round(refused / self.count, 4),
            "cut_off_share": round((unscored + unasked) / self.count, 4),
            "without_a_score_share": round(unscored / self.count, 4),
            "load": round(busy_ms / self.workers / float(arrivals[-1]), 3),
            "waited_share": round(float(np.mean(np.array(waits) > 0)), 4),
            "wait_mean_ms": round(float(np.mean(waits)), 3),
            "wait_p50_ms": round(float(p50), 2),
            "wait_p99_ms": round(float(p99), 2),
        }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.queue", description=__doc__)
    for own in fields(Cascade):
        kind = type(own.default)
        parser.add_argument(f"--{own.name.replace('_', '-')}", type=kind, default=own.default)
    show({"queue": Cascade(**vars(parser.parse_args())).play()})
