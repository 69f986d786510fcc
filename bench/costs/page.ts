import { cpus } from "node:os";
import { generatorTitle } from "../generator.ts";
import { table } from "../table.ts";
import type { Counts } from "./counts.ts";
import { STEPS, type Step } from "./steps.ts";

/** Microseconds of a request by step, and of CPU time of the whole process. */
export type Timed = { path: string; steps: ReadonlyMap<Step, number>; cpuMicros: number };

/** docs/costs.md. */
export function costPage({ sqlite, postgres }: Counts, timed: readonly Timed[]): string {
  const paths = timed.map(({ path }) => path);
  const uncounted = paths.filter((path) => !sqlite[path] || !postgres[path]);
  const untimed = Object.keys(sqlite).filter((path) => !paths.includes(path));
  if (uncounted.length + untimed.length > 0)
    throw new Error(`the hot paths that are counted and timed differ: ${[...uncounted, ...untimed].join(", ")}`);
  const date = new Date().toISOString().slice(0, 10);
  const [cpu] = cpus();
  return [
    "# What a request costs",
    "Written by `npm run bench -- --costs`; not changed by hand. What a path asks of the database is also its budget in `apps/web/server/testing/budgets.ts`, which a test compares with what it really asks. The times are of one machine: compare them with each other, and two commits with `npm run bench -- --against <commit>`.",
    "## Statements, pages and round trips",
    "With compiled statements and a cached configuration, one request at a time. On SQLite a commit under load is shared by all requests of a turn of the event loop; a tree costs a page of the log (4 KiB) in each commit.",
    table(
      [
        "",
        "SQLite: statements",
        "`PRAGMA`s",
        "commits",
        "B-trees written",
        "log, bytes",
        "PostgreSQL: statements",
        "round trips",
      ],
      paths.map((path) => {
        const own = sqlite[path];
        const its = postgres[path];
        return [
          path,
          ...[own?.statements, own?.pragmas, own?.commits, own?.trees.length, own?.logBytes].map(whole),
          ...[its?.statements, its?.roundTrips].map(whole),
        ];
      }),
    ),
    "The trees:",
    paths
      .filter((path) => (sqlite[path]?.trees.length ?? 0) > 0)
      .map((path) => `- ${path}: ${sqlite[path]?.trees.map((tree) => `\`${tree}\``).join(", ")}`)
      .join("\n"),
    "## Microseconds by step, on SQLite",
    `${date}, ${cpu?.model.trim() ?? "an unknown processor"}, Node ${process.versions.node}, load by ${generatorTitle}, 32 connections. From a CPU profile of the built server under load: the time of its main thread, the wait for the disk included, divided by the requests. The last column is the CPU time of the whole process without a profile's overhead taken off: other threads collect garbage and copy the log into the database meanwhile.`,
    table(
      ["", ...STEPS, "main thread", "CPU of the process"],
      timed.map(({ path, steps, cpuMicros }) => {
        const all = [...steps.values()].reduce((sum, one) => sum + one, 0);
        return [path, ...STEPS.map((step) => tenths(steps.get(step))), tenths(all), tenths(cpuMicros)];
      }),
    ),
    "",
  ].join("\n\n");
}

const whole = (value: number | undefined) => (value === undefined ? "–" : value.toLocaleString("en"));
const tenths = (value = 0) => (value < 0.05 ? "–" : value.toFixed(1));
