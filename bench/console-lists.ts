// What the console's lists and objects take with a million users, grants and deliveries and 10,000 applications, on
// both engines, through the procedures that its pages call. Prints the table of docs/performance.md, and fails where a
// 95th percentile is beyond the budget. CO-99.
//   node --import tsx bench/console-lists.ts [--rows=1000000] [--engine=sqlite|postgres]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Installation, NOON, openInstallation } from "../packages/console/src/testing/callers.ts";
import { openDatabase } from "../packages/db/src/database.ts";
import { BIG, fillBig } from "../packages/db/src/testing/big.ts";
import { startPostgresServer } from "../packages/db/src/testing/postgres-server.ts";

const CALLERS = 10;
/** How often each caller makes every call. */
const ROUNDS = 10;
/** From one call of a caller to its next; a person at the console takes longer. */
const PACE_MS = 100;
/** The 95th percentile of each may be this long, in milliseconds. */
const BUDGET = 100;
/** The page in the order of its list on which the last measurement starts. */
const DEEP = 100;

type Times = { median: number; p95: number };
type Calls = Record<string, () => Promise<unknown>>;

const option = (name: string) => process.argv.find((argument) => argument.startsWith(`--${name}=`))?.split("=")[1];
const rows = Number(option("rows") ?? BIG.rows);
const applications = Math.ceil((BIG.applications * rows) / BIG.rows);

async function callsOf(it: Installation): Promise<Calls> {
  const console = it.as("admin");
  const userId = `big-user-${Math.floor(rows / 2)}`;
  const clientId = `big-client-${Math.floor(applications / 2) * 3}`;
  const applicationId = `big-app-${Math.floor(applications / 2)}`;
  const applicationList = (input: Parameters<typeof console.applications.list>[0]) => () =>
    console.applications.list(input);
  const users = (input: Parameters<typeof console.users.list>[0]) => () => console.users.list(input);
  const deliveries = (input: Parameters<typeof console.deliveries.list>[0]) => () => console.deliveries.list(input);
  const deep = {
    applications: await pageOf(DEEP, (cursor) => console.applications.list({ cursor, sort: "lastToken" })),
    users: await pageOf(DEEP, (cursor) => console.users.list({ cursor })),
    deliveries: await pageOf(DEEP, (cursor) => console.deliveries.list({ cursor })),
  };
  return {
    "overview, 30 days": () => console.overview.get({ range: "30d" }),
    "applications, newest": applicationList({}),
    "applications by name": applicationList({ sort: "name" }),
    "applications by last token": applicationList({ sort: "lastToken" }),
    "applications by refusals": applicationList({ sort: "refusals" }),
    [`applications by last token, page ${DEEP}`]: applicationList({ sort: "lastToken", cursor: deep.applications }),
    "applications of staging": applicationList({ environment: "staging" }),
    "applications that registered themselves (none)": applicationList({ origin: "dynamic" }),
    "applications unused": applicationList({ state: "unused" }),
    "applications never used": applicationList({ state: "never_used" }),
    "applications silent": applicationList({ state: "silent", sort: "name" }),
    "applications off (none)": applicationList({ state: "off" }),
    "applications with an unused secret": applicationList({ state: "secret_unused", sort: "lastToken" }),
    "applications with a secret that ends": applicationList({ state: "secret_ends" }),
    "applications, a word": applicationList({ query: "application 77" }),
    "applications, a redirect host": applicationList({ query: "big4321.example" }),
    "applications, a client id": applicationList({ query: clientId }),
    "applications, nothing found": applicationList({ query: "zebra" }),
    "an application": () => console.applications.get({ id: applicationId }),
    "removing an application, its impact": () => console.applications.impact({ id: applicationId }),
    "a client": () => console.clients.get({ clientId }),
    "a client's use": () => console.clients.use({ clientId }),
    "disabling a client, its impact": () => console.clients.impact({ clientId, change: { kind: "disable" } }),
    "users, newest": users({}),
    [`users, page ${DEEP}`]: users({ cursor: deep.users }),
    "users, a name": users({ query: "person 77" }),
    "users, an address": users({ query: "person4321@example.com" }),
    "users, nothing found": users({ query: "zebra" }),
    "users, admins": users({ role: "admin" }),
    "users, disabled (none)": users({ status: "disabled" }),
    "users, unverified": users({ status: "unverified" }),
    "users with a second factor (none)": users({ secondFactor: "some" }),
    "users without a second factor": users({ secondFactor: "none" }),
    "a user": () => console.users.get({ id: userId }),
    "a user's apps": () => console.users.connectedApps({ id: userId }),
    "deliveries, newest": deliveries({}),
    [`deliveries, page ${DEEP}`]: deliveries({ cursor: deep.deliveries }),
    "deliveries, rejected": deliveries({ outcome: "rejected" }),
    "deliveries of a type that does not occur": deliveries({ eventType: "none" }),
    "failures, grouped": () => console.refusals.groups({}),
    "self-registered clients": () => console.selfRegistered.list({}),
    "audit log": () => console.audit.list({}),
    "API tokens": () => console.apiTokens.list(),
    "look up an address": () => console.lookup.find({ text: "person4321@example.com" }),
    "look up a client id": () => console.lookup.find({ text: clientId }),
  };
}

/** The cursor of the page with this number. */
async function pageOf(
  page: number,
  list: (cursor: string | undefined) => Promise<{ nextCursor?: string | null | undefined }>,
) {
  let cursor: string | undefined;
  for (let at = 1; at < page; at++) {
    const { nextCursor } = await list(cursor);
    if (!nextCursor) return cursor;
    cursor = nextCursor;
  }
  return cursor;
}

/**
 * The times of each call while ten callers go through all of them at the same time, each in an order of its own in each
 * round.
 */
async function timesOf(calls: Calls): Promise<Record<string, Times>> {
  const all = Object.entries(calls).map(([what, call]) => ({ what, call, times: [] as number[] }));
  for (const { call } of all) await call();
  const walk = async (caller: number) => {
    await pause((caller * PACE_MS) / CALLERS);
    for (let round = 0; round < ROUNDS; round++) {
      for (const { call, times } of shuffled(all)) {
        const start = performance.now();
        await call();
        const took = performance.now() - start;
        times.push(took);
        await pause(Math.max(0, PACE_MS - took));
      }
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, (_, caller) => walk(caller)));
  return Object.fromEntries(all.map(({ what, times }) => [what, spreadOf(times)]));
}

const shuffled = <Value>(values: readonly Value[]): Value[] =>
  values
    .map((value) => ({ value, place: Math.random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ value }) => value);

function spreadOf(times: number[]): Times {
  times.sort((one, other) => one - other);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
  return { median: at(0.5), p95: at(0.95) };
}

async function measure(name: "sqlite" | "postgres", url: string): Promise<Record<string, Times>> {
  const open = async () => {
    const database = await openDatabase(url);
    await database.migrate();
    return { ...database, url };
  };
  const it = await openInstallation({ name, open });
  try {
    await fillBig(it.database, { rows, applications, now: NOON });
    return await timesOf(await callsOf(it));
  } finally {
    await it.close();
  }
}

async function onSqlite(): Promise<Record<string, Times>> {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-console-lists-"));
  try {
    return await measure("sqlite", `file:${join(folder, "big.db")}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function onPostgres(): Promise<Record<string, Times>> {
  const server = await startPostgresServer();
  try {
    return await measure("postgres", `${server.url}/postgres`);
  } finally {
    await server.stop();
  }
}

const only = option("engine");
const measured = {
  ...(only === "postgres" ? {} : { SQLite: await onSqlite() }),
  ...(only === "sqlite" ? {} : { PostgreSQL: await onPostgres() }),
};
const engines = Object.entries(measured);
const shown = ({ median, p95 }: Times) => `${median.toFixed(1)} · ${p95.toFixed(1)}`;
console.log(
  `| p50 · p95 in ms | ${engines.map(([engine]) => engine).join(" | ")} |\n| --- |${" --: |".repeat(engines.length)}`,
);
for (const what of Object.keys(engines[0]?.[1] ?? {}))
  console.log(
    `| ${what} | ${engines.map(([, times]) => shown(times[what] ?? { median: Number.NaN, p95: Number.NaN })).join(" | ")} |`,
  );
for (const [engine, times] of engines)
  for (const [what, { p95 }] of Object.entries(times))
    if (!(p95 <= BUDGET)) {
      console.error(`✖ ${what} on ${engine}: ${p95.toFixed(1)} ms, the budget is ${BUDGET}`);
      process.exitCode = 1;
    }
