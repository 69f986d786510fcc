// What large tables cost: the same workloads beside so many rows of each kind, and beside none (see README.md).
import { parseArgs } from "node:util";
import { openDatabase } from "../../packages/db/src/database.ts";
import { multiplyRows } from "../../packages/db/src/testing/multiply.ts";
import { databaseOf } from "../committing.ts";
import { generatorTitle } from "../generator.ts";
import type { Figures } from "../load.ts";
import { type Measurable, measure, sharingMint } from "../measure.ts";
import { pickWorkloads } from "../pick.ts";
import { preflight, renderPage } from "../preflight.ts";
import { SERVER_CORE } from "../processes.ts";
import { median } from "../statistics.ts";
import type { Running } from "../subject.ts";
import { gatehouse, gatehousePostgres } from "../subjects/gatehouse.ts";
import { table } from "../table.ts";

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

/** p99 beside the most rows, × p99 beside none. */
const MOST = 1.5;
const text = { type: "string" } as const;
const { values } = parseArgs({ options: { rows: text, engine: text, rounds: text, seconds: text, only: text } });
const sizes = [0, ...(values.rows ?? "").split(",").map(Number)];
if (sizes.some((size) => !Number.isSafeInteger(size) || size < 0)) {
  console.error(
    "npm run bench -- --rows 1000000[,10000000] [--engine postgres] [--rounds 3] [--seconds 4] [--only refresh,bearer]",
  );
  process.exit(2);
}
const subject = values.engine === "postgres" ? gatehousePostgres : gatehouse;
const workloads = pickWorkloads(values.only ?? "refresh,bearer,introspection,webhook");
const rounds = Number(values.rounds ?? 3);
const lasting = { warmSeconds: 1, seconds: Number(values.seconds ?? 4), idleSeconds: 0, manyTokens: 100_000 };

const servers: { size: number; server: Running & Measurable }[] = [];
const measured: { size: number; workload: string; figures: Figures }[] = [];
try {
  for (const size of sizes) servers.push({ size, server: await startWith(size) });
  for (let round = 1; round <= rounds; round++)
    for (const workload of workloads)
      for (const { size, server } of servers)
        measured.push({ size, workload: workload.slug, figures: await measure(server, workload, lasting) });
} finally {
  for (const { server } of servers) await server.stop();
}
console.log(`\n${report()}`);

async function startWith(size: number): Promise<Running & Measurable> {
  const { title, paths, codesPerSecond } = subject;
  const running = await subject.start(SERVER_CORE);
  const server = { ...running, title, paths, codesPerSecond, mint: sharingMint(running.mint) };
  await renderPage(title, server.port, paths.signInPage);
  if (size === 0) return server;
  // Two real rows of each kind, to copy: the mint has the tokens, the server stores the deliveries.
  await server.mint("accessToken", 2);
  for (const slug of ["refresh", "refresh", "webhook", "webhook"]) {
    const [workload] = pickWorkloads(slug);
    if (!workload) continue;
    const traffic = await workload.traffic({
      paths,
      mint: server.mint,
      codes: 1,
      seconds: 1,
      connections: 1,
      manyTokens: 1,
    });
    await preflight(title, server.port, workload, traffic);
  }
  const began = performance.now();
  const database = await openDatabase(databaseOf(server.pid), { maxConnections: 1 });
  const added = await multiplyRows(database.engine, size).finally(() => database.close());
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(`${size.toLocaleString("en")} rows more in each of ${Object.keys(added).join(", ")}, in ${seconds} s`);
  return server;
}

function report(): string {
  const of = (size: number, workload: string, value: (figures: Figures) => number) =>
    median(
      measured.filter((one) => one.size === size && one.workload === workload).map(({ figures }) => value(figures)),
    );
  const rows = workloads.flatMap(({ slug, title }) =>
    sizes.map((size) => {
      const rate = of(size, slug, ({ requests, seconds }) => requests / seconds);
      const cpu = of(size, slug, ({ cpuMicros }) => cpuMicros);
      const p99 = of(size, slug, ({ p99Ms }) => p99Ms);
      const times = p99 / of(0, slug, ({ p99Ms }) => p99Ms);
      const verdict = size === 0 ? "–" : `${times.toFixed(2)} × (≤ ${MOST}${times <= MOST ? "" : ", missed"})`;
      return [
        title,
        size.toLocaleString("en"),
        Math.round(rate).toLocaleString("en"),
        Math.round(cpu).toString(),
        p99.toFixed(2),
        verdict,
      ];
    }),
  );
  return [
    `## Beside many rows, ${subject.title}`,
    `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${rounds} rounds of ${lasting.seconds} s, medians, load by ${generatorTitle}.`,
    table(["", "rows", "requests a second", "CPU, µs", "p99, ms", "p99 × beside none"], rows),
  ].join("\n\n");
}
