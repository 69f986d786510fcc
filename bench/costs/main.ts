// Writes docs/costs.md: what each hot path asks of the database, and where its time goes (see README.md).
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { measure, sharingMint } from "../measure.ts";
import { renderPage } from "../preflight.ts";
import { ROOT, SERVER_CORE, temporaryFolder } from "../processes.ts";
import { gatehouse, startProfiled } from "../subjects/gatehouse.ts";
import { countHotPaths } from "./counts.ts";
import { costPage, type Timed } from "./page.ts";
import { type CpuProfile, createSourceOf, type Period, timeByStep } from "./profile.ts";
import { stepOf } from "./steps.ts";
import { PROFILED } from "./workloads.ts";

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

const PAGE = join(ROOT, "docs/costs.md");

const { values } = parseArgs({
  options: { costs: { type: "boolean" }, quick: { type: "boolean", default: false }, seconds: { type: "string" } },
});
const seconds = Number(values.seconds ?? (values.quick ? 1 : 4));
const lasting = { warmSeconds: 1, seconds, idleSeconds: 0, manyTokens: 0 };

const counts = await countHotPaths();
const page = costPage(counts, await timeHotPaths());
console.log(page);
if (!values.quick) writeFileSync(PAGE, page);

/** Puts each hot path under load while the server writes a profile, which it does when it ends. */
async function timeHotPaths(): Promise<Timed[]> {
  const { folder, remove } = temporaryFolder("profile");
  try {
    const measured: { path: string; period: Period; requests: number; cpuMicros: number }[] = [];
    const server = await startProfiled(SERVER_CORE, folder);
    try {
      const { title, paths, codesPerSecond } = gatehouse;
      await renderPage(title, server.port, paths.signInPage);
      const mint = sharingMint(server.mint);
      for (const { path, workload } of PROFILED) {
        // A token is introspected for the first time once.
        const own = workload.slug.endsWith("-first") ? server.mint : mint;
        const figures = await measure({ ...server, title, paths, codesPerSecond, mint: own }, workload, lasting);
        measured.push({ path, period: figures.period, requests: figures.requests, cpuMicros: figures.cpuMicros });
        console.log(`  ${path.padEnd(26)}${Math.round(figures.requests / figures.seconds)} req/s`);
      }
    } finally {
      await server.stop();
    }
    const profile = mainThreadProfile(folder);
    const sourceOf = createSourceOf(ROOT);
    return measured.map(({ path, period, requests, cpuMicros }) => {
      const sums = timeByStep(profile, period, sourceOf, stepOf);
      return { path, cpuMicros, steps: new Map([...sums].map(([step, micros]) => [step, micros / requests])) };
    });
  } finally {
    remove();
  }
}

/** Node writes a file for each thread: `CPU.<date>.<time>.<pid>.<thread>.<number>.cpuprofile`; the main thread is 0. */
function mainThreadProfile(folder: string): CpuProfile {
  const file = readdirSync(folder).find((name) => name.split(".").at(-3) === "0");
  if (file === undefined) throw new Error("the server wrote no profile");
  return JSON.parse(readFileSync(join(folder, file), "utf8"));
}
