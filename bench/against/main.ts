// Measures this tree and another commit in turn, and prints the ratios (see README.md).
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isBuilt, PARTS } from "../../scripts/freshness.mjs";
import { type Measurable, measure } from "../measure.ts";
import { ROOT } from "../processes.ts";
import type { Workload } from "../workloads.ts";
import { compare, type Pair } from "./comparison.ts";
import { type Driven, startDriven, type Tree } from "./driven.ts";
import { AGAINST_USAGE, type AgainstOptions, readAgainstOptions } from "./options.ts";
import { againstReport } from "./report.ts";
import { AgainstError, buildTree, commitOf, isDirty } from "./tree.ts";

// `exit` deletes the other tree.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

/** Workloads that the other commit cannot answer, as found in the first round. */
const lacking = new Set<Workload>();

async function main(): Promise<void> {
  const options = read();
  const commit = commitOf(options.commit);
  for (const built of ["apps/web/dist/server.mjs", "apps/web/.next/BUILD_ID", "packages/cli/dist"])
    if (!existsSync(join(ROOT, built))) throw new AgainstError(`${built} is missing: run \`npm run build\` first`);
  const here: Tree = {
    name: isDirty() ? "this tree, with changes that are not committed" : commitOf("HEAD").slice(0, 10),
    folder: ROOT,
  };
  console.log(`${here.name} as it was built last, against ${options.commit} (${commit.slice(0, 10)})`);
  for (const part of PARTS.filter((part) => part.name !== "console" && !isBuilt(ROOT, part)))
    console.log(`${part.folder} has changed since it was built: without \`npm run build\`, the old build is measured`);
  const there = await buildTree(commit);

  const pairs: Pair[] = [];
  for (let round = 1; round <= options.rounds; round++) {
    console.log(`round ${round} of ${options.rounds}`);
    await runRound(round, [here, there], options, (pair) => pairs.push(pair));
  }
  const compared = compare(pairs);
  console.log(`\n${againstReport(here.name, there.name, options, compared)}`);
  const when = new Date().toISOString();
  if (options.json)
    writeFileSync(
      options.json,
      JSON.stringify({ when, here: commitOf("HEAD"), there: commit, engine: options.engine, compared }),
    );
}

function read(): AgainstOptions {
  try {
    return readAgainstOptions(process.argv.slice(2));
  } catch (error) {
    throw new AgainstError(`${error instanceof Error ? error.message : error}\n\n${AGAINST_USAGE}`);
  }
}

/**
 * Starts both on fresh databases and measures each workload on the one and then on the other; the next round begins
 * with the other.
 */
async function runRound(
  round: number,
  [one, other]: [Tree, Tree],
  options: AgainstOptions,
  keep: (pair: Pair) => void,
): Promise<void> {
  const started: Driven[] = [];
  try {
    const here = await startDriven(one, options.engine);
    started.push(here);
    const there = await startDriven(other, options.engine);
    started.push(there);
    for (const workload of options.workloads) {
      if (here.paths[workload.path] === undefined || lacking.has(workload)) continue;
      const measured = new Map<Measurable, Awaited<ReturnType<typeof measure>>>();
      for (const server of round % 2 === 1 ? [there, here] : [here, there]) {
        const figures = await measure(server, workload, options).catch((error: unknown) => {
          if (server === here || round > 1) throw error;
          console.log(`  ${workload.slug}: left out, ${error instanceof Error ? error.message : error}`);
          lacking.add(workload);
        });
        if (!figures) break;
        measured.set(server, figures);
      }
      const [own, its] = [measured.get(here), measured.get(there)];
      if (!own || !its) continue;
      keep({ workload: workload.slug, here: own, there: its });
      console.log(line(workload, own, its));
    }
  } finally {
    for (const server of started) await server.stop();
  }
}

function line({ slug }: Workload, own: Pair["here"], its: Pair["there"]): string {
  const rate = ({ requests, seconds }: Pair["here"]) => String(Math.round(requests / seconds)).padStart(7);
  const cpu = ({ cpuMicros }: Pair["here"]) => String(Math.round(cpuMicros)).padStart(5);
  const busy = Math.max(own.loadBusy, its.loadBusy);
  const note = busy > 0.9 ? `  the load generator was ${Math.round(busy * 100)} % busy` : "";
  return `  ${slug.padEnd(28)}${rate(own)} : ${rate(its)} req/s  ${cpu(own)} : ${cpu(its)} µs CPU, ${(own.cpuMicros / its.cpuMicros).toFixed(2)}${note}`;
}

await main().catch((error: unknown) => {
  console.error(error instanceof AgainstError ? error.message : error);
  process.exit(error instanceof AgainstError ? 2 : 1);
});
