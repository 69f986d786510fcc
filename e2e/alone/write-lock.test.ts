import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "@gatehouse/db";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { CLIENTS, fixture } from "../harness/fixture.ts";
import { postAs } from "../harness/flow.ts";
import { apply, startWeb } from "../harness/gatehouse.ts";
import { freePort, type Running } from "../harness/processes.ts";

let folder: string;
let issuer: string;
let url: string;
let server: Running;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-write-lock-"));
  const port = await freePort();
  issuer = `http://localhost:${port}`;
  url = `file:${join(folder, "gatehouse.db")}`;
  const env = { ...inject("env"), GATEHOUSE_ISSUER: issuer, GATEHOUSE_DATA_DIR: folder, DATABASE_URL: url };
  await apply(fixture(), folder, env);
  server = await startWeb(env, port);
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

test("OP-50 token requests wait out another process that holds SQLite's write lock for one second", async () => {
  const { engine } = await openDatabase(url);
  if (engine.dialect !== "sqlite") throw new Error("expected SQLite");
  engine.connection.exec("BEGIN IMMEDIATE");
  const writes = Array.from({ length: 20 }, () => postAs(issuer, "/token", CLIENTS.service, { grant_type: "client_credentials" }));
  await sleep(1000);
  engine.connection.close();
  const answers = await Promise.all(writes);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
});
