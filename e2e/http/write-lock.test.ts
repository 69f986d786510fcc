import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "@gatehouse/db/database";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CLIENTS, fixture } from "../harness/fixture.ts";
import { postAs } from "../harness/flow.ts";
import { type Gatehouse, startGatehouse } from "../harness/gatehouse.ts";

let own: Gatehouse;
beforeAll(async () => {
  own = await startGatehouse({ engine: "sqlite", fixture: fixture() });
});
afterAll(() => own?.stop());

test("OP-50 token requests wait out another process that holds SQLite's write lock for one second", async () => {
  const { engine } = await openDatabase(own.env["DATABASE_URL"] ?? "");
  if (engine.dialect !== "sqlite") throw new Error("expected SQLite");
  engine.connection.exec("BEGIN IMMEDIATE");
  const writes = Array.from({ length: 20 }, () =>
    postAs(own.issuer, "/token", CLIENTS.service, { grant_type: "client_credentials" }),
  );
  await sleep(1000);
  engine.connection.close();
  const answers = await Promise.all(writes);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
});
