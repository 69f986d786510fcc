// Measures every subject on every workload, round by round, and prints medians and ratios (see README.md).
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Figures } from "./load.ts";
import { type Measurable, measure, sharingMint } from "./measure.ts";
import { type Options, readOptions } from "./options.ts";
import { renderPage } from "./preflight.ts";
import { ROOT, SERVER_CORE } from "./processes.ts";
import { type Measured, markdown, type Results } from "./report.ts";
import type { Running, Subject } from "./subject.ts";
import type { Workload } from "./workloads.ts";

// `exit` stops every started process.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
process.setMaxListeners(50);

const PAGE = join(ROOT, "docs/performance.md");
/** The hand-written part of the page, from this heading on, is kept. */
const BY_HAND = "\n## What limits each workload\n";

const options = readOptions(process.argv.slice(2));
const results: Results = { rounds: [], starts: [] };
for (let round = 1; round <= options.rounds; round++) {
  console.log(`round ${round} of ${options.rounds}`);
  results.rounds.push(await runRound(options, results));
}

const report = markdown(options, results);
console.log(`\n${report}`);
if (options.write) writeFileSync(PAGE, report + writtenByHand());

function writtenByHand(): string {
  const page = existsSync(PAGE) ? readFileSync(PAGE, "utf8") : "";
  const at = page.indexOf(BY_HAND);
  return at === -1 ? "" : page.slice(at);
}

/**
 * Starts all subjects and measures them in turn on each workload, so that compared figures are taken within seconds of
 * each other.
 */
async function runRound({ subjects, workloads, ...options }: Options, { starts }: Results): Promise<Measured[]> {
  const running = new Map<Subject, Running & Measurable>();
  const measured: Measured[] = [];
  try {
    for (const subject of subjects) {
      const started = await subject.start(SERVER_CORE);
      const { title, paths, codesPerSecond } = subject;
      running.set(subject, { ...started, title, paths, codesPerSecond, mint: sharingMint(started.mint) });
      starts.push({ subject: subject.slug, ms: started.startedInMs });
      await renderPage(title, started.port, paths.signInPage);
    }
    for (const workload of workloads) {
      for (const [subject, server] of running) {
        if (subject.paths[workload.path] === undefined || (workload.ownOnly && !subject.isOwn)) continue;
        const figures = await measure(server, workload, options);
        measured.push({ subject: subject.slug, workload: workload.slug, figures });
        console.log(line(subject, workload, figures));
      }
    }
  } finally {
    for (const server of running.values()) await server.stop();
  }
  return measured;
}

function line(
  subject: Subject,
  workload: Workload,
  { requests, seconds, p50Ms, p99Ms, cpuMicros, loadBusy }: Figures,
): string {
  const rate = Math.round(requests / seconds);
  const note = loadBusy > 0.9 ? `  the load generator was ${Math.round(loadBusy * 100)} % busy` : "";
  return `  ${workload.slug.padEnd(26)}${subject.slug.padEnd(20)}${String(rate).padStart(7)} req/s  p50 ${p50Ms.toFixed(2)}  p99 ${p99Ms.toFixed(2)} ms  ${Math.round(cpuMicros)} µs CPU${note}`;
}
