// OP-87: a server with a heap of 256 MiB in 400 MiB of memory lists, exports, takes large bodies, and needs 220 MiB under load
import { randomBytes } from "node:crypto";
import { openDatabase } from "@gatehouse/db/database";
import { fillBig } from "@gatehouse/db/testing/big";
import { expect, test } from "vitest";
import { fixture } from "../harness/fixture.ts";
import { consoleToken, dataOf, mutate, query } from "../harness/trpc.ts";
import { limitMemory } from "./fleet/memory-limit.ts";
import { residentBytes } from "./fleet/processes.ts";
import { newSingle } from "./fleet/single.ts";
import { LONG, openFigures, progress } from "./form.ts";
import { generate } from "./generator/generate.ts";
import { othersIn } from "./generator/job.ts";
import { TOKEN } from "./traffic/calls.ts";
import { openClient } from "./traffic/client.ts";

const ID = "OP-87";
const MIB = 2 ** 20;
const ROWS = LONG ? 1_000_000 : 20_000;
const PAGES = LONG ? 2_000 : 50;
const BODIES = 200;
const SECONDS = LONG ? 60 : 8;
const figures = openFigures(ID);

test("OP-87 with little memory lists, exports and 200 bodies of 1 MiB at once end no process", async () => {
  const limit = limitMemory(400 * MIB);
  if (limit === undefined) figures.skip("only the heap is limited: this user may make no control group");
  const settings = { NODE_OPTIONS: "--max-old-space-size=256" };
  const single = await newSingle("sqlite", settings, { more: [fixture()] });
  const { issuer, port, env } = single;
  await fill(env["DATABASE_URL"] ?? "");
  const { child } = await (limit ? limit.startIn(() => single.start()) : single.start());
  const client = openClient(issuer);
  const resident = () => residentBytes(child.pid ?? 0) / MIB;
  try {
    const load = { connections: 32 };
    const busy = await generate({ port, calls: [TOKEN], load, warmSeconds: 2, seconds: SECONDS });
    const underLoad = resident();
    figures.add({
      what: "memory under load",
      value: underLoad,
      unit: "MiB",
      limit: "≤ 220",
      isMet: underLoad <= 220,
    });
    expect(othersIn(busy, "200")).toEqual([]);

    progress(ID, "lists and exports");
    const token = await consoleToken(issuer, "admin");
    for (const list of ["users.list", "applications.list", "deliveries.list"])
      expect((await query(issuer, list, {}, token)).status).toBe(200);
    const started = await mutate(issuer, "deliveries.export", { contents: true }, token);
    const { ticket } = dataOf<{ ticket: string }>(started);
    let exported = 0;
    let cursor: string | null = null;
    for (let page = 0; page < PAGES && (page === 0 || cursor !== null); page++) {
      const answer = await mutate(issuer, "deliveries.exportPage", { ticket, cursor }, token);
      const { items, nextCursor } = dataOf<{ items: unknown[]; nextCursor: string | null }>(answer);
      exported += items.length;
      cursor = nextCursor;
    }
    figures.add({ what: "rows exported", value: exported });
    figures.add({ what: "memory after lists and exports", value: resident(), unit: "MiB" });
    expect(exported).toBeGreaterThan(0);

    progress(ID, `${BODIES} bodies of 1 MiB at once`);
    const body = randomBytes(MIB / 2).toString("hex");
    const headers = { "content-type": "application/json", "stripe-signature": `t=1,v1=${"0".repeat(64)}` };
    const replies = await Promise.all(
      Array.from({ length: BODIES }, () =>
        client.send({ path: "/api/webhooks/stripe", method: "POST", headers, body }),
      ),
    );
    const statuses = new Set(replies.map(({ status }) => status));
    figures.add({ what: `memory after ${BODIES} bodies of 1 MiB`, value: resident(), unit: "MiB" });
    expect([...statuses].filter((status) => ![400, 413, 429, 503].includes(status))).toEqual([]);
    expect((await client.send(TOKEN)).status).toBe(200);

    const kills = limit?.kills() ?? 0;
    figures.add({ what: "processes ended for memory", value: kills, limit: "0", isMet: kills === 0 });
    expect(child.exitCode).toBeNull();
    expect(kills).toBe(0);
  } finally {
    client.close();
    await single.remove();
    limit?.close();
  }
});

async function fill(url: string): Promise<void> {
  const database = await openDatabase(url);
  const now = Math.floor(Date.now() / 1_000);
  await fillBig(database, { rows: ROWS, applications: 1_000, now });
  await database.close();
}
