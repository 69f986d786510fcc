import { arch, cpus, platform, release, totalmem } from "node:os";
import { generatorTitle } from "./generator.ts";
import type { Figures } from "./load.ts";
import type { Options } from "./options.ts";
import { canPin } from "./processes.ts";
import { median, predictedRate } from "./statistics.ts";
import type { Subject } from "./subject.ts";
import { table } from "./table.ts";
import type { Workload } from "./workloads.ts";

export type Measured = { subject: string; workload: string; figures: Figures };
export type Results = { rounds: Measured[][]; starts: { subject: string; ms: number }[] };

const PEER = "oidc-provider";
const FLOOR = "floor";
const NEXT = "next-noop";
const OURS = "gatehouse";

// Targets of the process as a whole.
const RSS_MIB = 220;
const START_MS = 1500;

/** The generated part of docs/performance.md. */
export function markdown(options: Options, results: Results): string {
  const read = reader(results);
  return [
    "# Performance",
    "Written by `npm run bench`. [bench/README.md](../bench/README.md) explains how to repeat it, how each subject is set up, and what the floor is: the least code that does the same work.",
    method(options),
    "## Ratios",
    "The ratio within each round, as the median of all rounds. Unless the column says otherwise, it is a ratio of requests a second, and more is better. The target is in brackets.",
    ratios(options, read),
    "Workloads that need what only Gatehouse has, and what they are compared with, in requests a second:",
    relatives(options, read),
    limits(options, read, results),
    "## Requests a second",
    perWorkload(options, read, rate, whole),
    "## p50, ms",
    perWorkload(options, read, ({ p50Ms }) => p50Ms, hundredths),
    "## p99, ms",
    perWorkload(options, read, ({ p99Ms }) => p99Ms, hundredths),
    "## CPU time of the server for each request, µs",
    "For PostgreSQL, without the database server.",
    perWorkload(options, read, ({ cpuMicros }) => cpuMicros, whole),
    "## Memory of the server under load (resident), MiB",
    perWorkload(options, read, ({ rssMib }) => rssMib, whole),
    "## The subjects",
    subjectTable(options.subjects, results),
    "",
  ].join("\n\n");
}

function method({ rounds, warmSeconds, seconds }: Options): string {
  const [cpu] = cpus();
  const machine = `${cpus().length} × ${cpu?.model.trim() ?? arch()}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${platform()} ${release()}, Node ${process.versions.node}`;
  const pinned = canPin
    ? "The server has one core to itself and the load generator another."
    : "Server and load share the cores.";
  const count = `${rounds} ${rounds === 1 ? "round" : "rounds"}; in each, every subject starts on a fresh database, and they take turns on each workload: ${warmSeconds} s to warm up, ${seconds} s measured, 32 keep-alive connections, load by ${generatorTitle}. Every server that has pages has rendered one.`;
  return `${new Date().toISOString().slice(0, 10)}, ${machine}. ${count} ${pinned} A response with an unexpected status fails the run.`;
}

type Read = (subject: string, workload: string, of: (figures: Figures) => number) => number[];

/** One value for each round; NaN if the subject was not measured. */
function reader({ rounds }: Results): Read {
  return (subject, workload, of) =>
    rounds.map((round) => {
      const found = round.find((one) => one.subject === subject && one.workload === workload);
      return found ? of(found.figures) : Number.NaN;
    });
}

const rate = ({ requests, seconds }: Figures) => requests / seconds;
const whole = (value: number) => Math.round(value).toLocaleString("en");
const hundredths = (value: number) => value.toFixed(2);
const shown = (value: number, format: (value: number) => string) => (Number.isNaN(value) ? "–" : format(value));

function perWorkload(
  { subjects, workloads }: Options,
  read: Read,
  of: (figures: Figures) => number,
  format: (value: number) => string,
): string {
  const rows = workloads.map(({ slug, title }) => [
    title,
    ...subjects.map((subject) => shown(median(read(subject.slug, slug, of)), format)),
  ]);
  return table(["", ...subjects.map(({ title }) => title)], rows);
}

function ratios({ workloads }: Options, read: Read): string {
  const ratio = (of: (figures: Figures) => number, { slug }: Workload, to: string, from = OURS) => {
    const base = read(to, slug, of);
    return median(read(from, slug, of).map((value, round) => value / (base[round] ?? Number.NaN)));
  };
  const p99 = ({ p99Ms }: Figures) => p99Ms;
  const cpu = ({ cpuMicros }: Figures) => cpuMicros;
  const rows = workloads.flatMap((workload) => {
    const { peer, floor, next, postgres, p99: p99Target } = workload.targets ?? {};
    if (workload.ownOnly) return [];
    const cells = [
      workload.title,
      atLeast(peer, ratio(rate, workload, PEER)),
      atLeast(floor, ratio(rate, workload, FLOOR)),
      shown(ratio(cpu, workload, PEER), times),
      shown(ratio(cpu, workload, FLOOR), times),
      atMost(p99Target, ratio(p99, workload, FLOOR), times),
      atLeast(next, ratio(rate, workload, NEXT)),
      atLeast(postgres, ratio(rate, workload, OURS, "gatehouse-postgres")),
    ];
    return [cells];
  });
  const head = [
    "× node-oidc-provider",
    "× the floor",
    "CPU × node-oidc-provider's",
    "CPU × the floor's",
    "p99 × the floor's",
    "× Next",
  ];
  return table(["Gatehouse on SQLite", ...head, "on PostgreSQL × on SQLite"], rows);
}

/** Each workload that is compared with others of the same subject, on both engines. */
function relatives({ workloads, subjects }: Options, read: Read): string {
  const own = subjects.filter(({ isOwn }) => isOwn);
  const rows = workloads.flatMap(({ slug, title, relativeTo, targets }) => {
    if (relativeTo === undefined) return [];
    const what =
      typeof relativeTo === "string"
        ? workloads.find((other) => other.slug === relativeTo)?.title
        : "what its parts predict";
    const ratiosOf = (subject: Subject) => {
      const parts = typeof relativeTo === "string" ? { [relativeTo]: 1 } : relativeTo;
      const rates = Object.keys(parts).map((part) => [part, read(subject.slug, part, rate)] as const);
      return read(subject.slug, slug, rate).map((value, round) => {
        const inRound = Object.fromEntries(rates.map(([part, values]) => [part, values[round] ?? Number.NaN]));
        return value / predictedRate(parts, inRound);
      });
    };
    const cells = own.map((subject) =>
      atLeast(subject.slug === OURS ? targets?.relative : undefined, median(ratiosOf(subject))),
    );
    return [[title, what ?? "not measured", ...cells]];
  });
  return table(["", "compared with", ...own.map(({ title }) => title)], rows);
}

/** Targets of the process as a whole. */
function limits({ workloads }: Options, read: Read, { starts }: Results): string {
  const memory = workloads
    .map(({ slug }) => median(read(OURS, slug, ({ rssMib }) => rssMib)))
    .filter((mib) => !Number.isNaN(mib));
  const started = median(starts.filter(({ subject }) => subject === OURS).map(({ ms }) => ms));
  const most = memory.length > 0 ? Math.max(...memory) : Number.NaN;
  return table(
    ["Gatehouse on SQLite", ""],
    [
      ["maximum memory under load, MiB", atMost(RSS_MIB, most, whole)],
      ["start to first response, ms", atMost(START_MS, started, whole)],
    ],
  );
}

const times = (value: number) => `${value.toFixed(2)} ×`;

const atLeast = (target: number | undefined, value: number) =>
  judged(value, times, target, "≥", value >= (target ?? 0));
const atMost = (target: number | undefined, value: number, format: (value: number) => string) =>
  judged(value, format, target, "≤", value <= (target ?? 0));

function judged(
  value: number,
  format: (value: number) => string,
  target: number | undefined,
  sign: string,
  reached: boolean,
): string {
  if (Number.isNaN(value)) return "–";
  return target === undefined ? format(value) : `${format(value)} (${sign} ${target}${reached ? "" : ", missed"})`;
}

function subjectTable(subjects: readonly Subject[], { starts }: Results): string {
  const rows = subjects.map(({ slug, title, version, durability }) => {
    const started = median(starts.filter((start) => start.subject === slug).map(({ ms }) => ms));
    return [title, version, durability, whole(started)];
  });
  return table(["", "version", "durability when the response leaves", "start to first response, ms"], rows);
}
