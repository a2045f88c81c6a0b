# SPDX-License-Identifier: Apache-2.0
"""Counts and lists differences."""

import collections

from differences import TEXT

# Columns of the table, by the gravest difference of a run; see FILES, REPORT and TEXT.
CLASSES = ("different", "JSON only", "text only")
HEADINGS = ("Different files and statuses", "Different JSON", "Different text")
# Kinds of differences that the summary lists.
SHOWN = 20


class Report:
    """What is different between the results of two programs."""

    def __init__(self, old, new):
        self.programs = (("old", old), ("new", new))
        self.counts = collections.defaultdict(collections.Counter)
        # By class: the runs with their differences; the number of runs by kind, and a file.
        self.entries = [[] for _ in CLASSES]
        self.kinds = [{} for _ in CLASSES]
        self.aborted = {"old": [], "new": []}

    @property
    def is_different(self):
        """True if anything but wording is."""
        return any(self.entries[:TEXT])

    def add(self, file, step, old, new, differences):
        title = f"{file.name}: {' '.join(step.arguments)}"
        counts = self.counts[step.verb]
        counts["runs"] += 1
        counts["exit 0"] += old is not None and old["status"] == 0
        for name, result in (("old", old), ("new", new)):
            if result and (result["status"] == "timeout" or result["status"] < 0):
                self.aborted[name].append(f"{title}: {result['status']}")
        if not differences:
            counts["identical"] += 1
            return
        rank = min(difference.rank for difference in differences)
        counts[CLASSES[rank]] += 1
        self.entries[rank].append((title, sorted(differences, key=lambda d: d.rank)))
        for rank, kind in {(d.rank, f"{step.verb}: {d.kind}") for d in differences}:
            count, example = self.kinds[rank].get(kind, (0, file.name))
            self.kinds[rank][kind] = (count + 1, example)

    def table(self):
        columns = ("runs", "exit 0", "identical", *reversed(CLASSES))
        lines = [f"{'verb':16}" + "".join(f"{column:>11}" for column in columns)]
        total = collections.Counter()
        for verb, counts in sorted(self.counts.items()):
            total.update(counts)
            lines.append(f"{verb:16}" + "".join(f"{counts[column]:11}" for column in columns))
        lines.append(f"{'total':16}" + "".join(f"{total[column]:11}" for column in columns))
        return lines

    def kinds_of(self, rank, limit):
        kinds = sorted(self.kinds[rank].items(), key=lambda item: (-item[1][0], item[0]))
        lines = [f"{count:6}  {kind}  [{example}]" for kind, (count, example) in kinds[:limit]]
        if len(kinds) > limit:
            lines.append(f"        and {len(kinds) - limit} more kinds")
        return lines

    def overview(self, limit):
        programs = (f"{name} program: {program.digest[:12]}" for name, program in self.programs)
        lines = [", ".join(programs), "", *self.table()]
        for name, aborted in self.aborted.items():
            if aborted:
                lines += ["", f"Timeouts and signals (negative) of the {name} program:", *aborted]
        for rank, heading in enumerate(HEADINGS):
            if self.kinds[rank]:
                lines += ["", f"{heading}, by kind: number of runs and one of the files"]
                lines += self.kinds_of(rank, limit)
        return lines

    def summary(self):
        return "\n".join([*self.overview(SHOWN), ""])

    def full_text(self):
        lines = self.overview(limit=10_000)
        for name, entries in zip(CLASSES, self.entries):
            if entries:
                lines += ["", f"Runs: {name}"]
            for title, differences in entries:
                lines.append(title)
                lines += [f"  {'text: ' if d.rank == TEXT else ''}{d.detail}" for d in differences]
        return "\n".join([*lines, ""])
