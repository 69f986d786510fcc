import { stat } from "node:fs";
import type Sqlite from "better-sqlite3";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { CacheName } from "../cache/caches.ts";
import { requestArrived } from "../cache/turn.ts";
import { type Database, openDatabase } from "../database.ts";
import { engines, type TestDatabase } from "../testing/engines.ts";
import { NOW, seed } from "../testing/people.ts";
import { createVersionReader, type LocalVersionReader } from "./cache-versions.ts";

const FAR = 4_000_000_000;
const TOKEN = `INSERT INTO access_tokens (hash, id, grant_id, client_id, client_epoch, user_id, scope, audience, environment, issued_at, expires_at)
  VALUES ('h', 'i', 'g', 'shop-dev', 0, 'ada', '', '', 'development', ${NOW}, ${FAR})`;
const ENDPOINT =
  "INSERT INTO webhook_endpoints (slug, provider, environment, settings, created_at) VALUES ('s', 'stripe', 'staging', '{}', 1)";
const SECRET = `INSERT INTO webhook_secrets (id, endpoint, kind, sealed, hash, hint, created_at) VALUES ('w', 's', 'signing', '', '', '', 1)`;
const PROVIDER = `INSERT INTO sign_in_providers (id, preset, name, client_id, settings, position, enabled, created_at, updated_at)
  VALUES ('p', 'google', '', '', '{}', 1, 1, 1, 1)`;

describe("versions of the caches", () => {
  let database: TestDatabase;
  let connection: Sqlite.Database;
  let other: Sqlite.Database;
  let elsewhere: Database;
  let versions: LocalVersionReader;
  const raise = (caller = other) => caller.exec("UPDATE cache_versions SET users = users + 1");

  beforeAll(async () => {
    const opened = await engines.find(({ name }) => name === "sqlite")?.open();
    if (opened?.engine.dialect !== "sqlite") throw new Error("expected SQLite");
    await seed(opened.db);
    database = opened;
    connection = opened.engine.connection;
    elsewhere = await openDatabase(database.url);
    if (elsewhere.engine.dialect === "sqlite") other = elsewhere.engine.connection;
    const [grant, refresh] = ["'g', 'shop-dev', 'ada', '', 1", "'spare', 'shop-dev', 'ada', '', 1"];
    for (const values of [grant, refresh])
      connection.exec(`INSERT INTO grants (id, client_id, user_id, scope, created_at) VALUES (${values})`);
    for (const insert of [TOKEN, ENDPOINT, SECRET, PROVIDER]) connection.exec(insert);
  });
  beforeEach(() => {
    versions = createVersionReader(connection);
  });
  afterAll(async () => {
    await elsewhere.close();
    await database.close();
  });

  describe.each(["this connection", "another connection"])("a write of %s", (by) => {
    const caller = () => (by === "this connection" ? connection : other);
    test.each<[string, string, CacheName[]]>([
      ["a new token", TOKEN.replace("'h'", "'new'"), []],
      [
        "a new grant",
        "INSERT INTO grants (id, client_id, user_id, scope, created_at) VALUES ('new', 'shop-dev', 'ada', '', 1)",
        [],
      ],
      ["a new user", "INSERT INTO users (id, email, name, role, created_at) VALUES ('new', 'n@x', '', 'user', 1)", []],
      ["a revoked token", "UPDATE access_tokens SET revoked_at = 1", ["accessTokens"]],
      ["a deleted token", "DELETE FROM access_tokens WHERE hash = 'h'", ["accessTokens"]],
      [
        "the deletion of an expired token",
        `${TOKEN.replace("'h'", "'old'").replace(`${FAR}`, "9")}; DELETE FROM access_tokens WHERE hash = 'old'`,
        [],
      ],
      ["a revoked grant", "UPDATE grants SET revoked_at = 1 WHERE id = 'g'", ["grants"]],
      ["a grant's session", "UPDATE grants SET session_id = 'another' WHERE id = 'g'", []],
      ["a deleted grant, without tokens", "DELETE FROM grants WHERE id = 'spare'", ["grants"]],
      ["a raised epoch", "UPDATE users SET access_epoch = access_epoch + 1", ["users"]],
      ["a new password", "UPDATE users SET password_hash = ''", []],
      ["a deleted user", "DELETE FROM users WHERE id = 'bob'", ["users"]],
      ["a disabled client", "UPDATE clients SET disabled_at = 1 WHERE id = 'shop-prod'", ["clients"]],
      ["the last use of a client", "UPDATE clients SET last_used_at = 1", []],
      [
        "a new secret of a client",
        "INSERT INTO client_secrets (id, client_id, hash, hint, created_at) VALUES ('c', 'shop-dev', '', '', 1)",
        ["clients"],
      ],
      ["the last use of a secret", "UPDATE client_secrets SET last_used_at = 1", []],
      ["a revoked secret", "UPDATE client_secrets SET revoked_at = 1", ["clients"]],
      ["a renamed application", "UPDATE applications SET name = 'Another'", ["clients"]],
      ["a deleted application, whose clients and grants go along", "DELETE FROM applications", ["clients", "grants"]],
      ["the last delivery of an endpoint", "UPDATE webhook_endpoints SET last_accepted_at = 1", []],
      ["a disabled endpoint", "UPDATE webhook_endpoints SET disabled_at = 1", ["webhookEndpoints"]],
      ["the last use of a provider's secret", "UPDATE webhook_secrets SET last_matched_at = 1", []],
      ["a deleted endpoint, whose secrets go along", "DELETE FROM webhook_endpoints", ["webhookEndpoints"]],
      ["a provider that is switched off", "UPDATE sign_in_providers SET enabled = 0", ["signInProviders"]],
    ])("%s", (_, sql, expected) => {
      const before = versions.read();
      caller().exec("SAVEPOINT attempt");
      caller().exec(sql);
      const after = createVersionReader(caller()).read();
      caller().exec("ROLLBACK TO attempt; RELEASE attempt");
      const changed = (Object.keys(before) as CacheName[]).filter((cache) => after[cache] !== before[cache]);
      expect(changed.toSorted()).toEqual(expected);
    });
  });

  test("the versions are the same object until a counter changes", () => {
    const before = versions.read();
    other.exec("UPDATE users SET password_hash = 'x'");
    expect(versions.read()).toBe(before);
    raise();
    expect(versions.read()).toMatchObject({ users: before.users + 1, grants: before.grants });
  });

  /** Resolves in the phase of the event loop in which requests arrive. */
  const poll = () => new Promise<void>((resolve) => void stat(import.meta.filename, () => resolve()));

  test("in a turn in which a request arrived they are read once, until this connection writes; the next turn reads them again", async () => {
    await poll();
    requestArrived();
    const first = versions.read().users;
    raise();
    requestArrived();
    expect(versions.read().users).toBe(first);
    versions.wrote();
    expect(versions.read().users).toBe(first + 1);
    raise();
    await poll();
    requestArrived();
    expect(versions.read().users).toBe(first + 2);
  });

  test("what a timer read does not hold for a request that arrives in the same round of the event loop", async () => {
    await new Promise((resolve) => setTimeout(resolve, 0));
    const timer = versions.read().users;
    raise();
    await poll();
    requestArrived();
    expect(versions.read().users).toBe(timer + 1);
  });

  test("outside of such a turn, each call reads them", async () => {
    await new Promise((resolve) => setImmediate(resolve));
    const before = versions.read().users;
    raise();
    expect(versions.read().users).toBe(before + 1);
  });

  test("a request that waits behind another on its connection reads them again, as does the 65th of a turn", async () => {
    await poll();
    requestArrived();
    const first = versions.read().users;
    raise();
    requestArrived({ queued: true });
    expect(versions.read().users).toBe(first + 1);
    raise();
    for (let more = 0; more < 63; more++) requestArrived();
    expect(versions.read().users).toBe(first + 1);
    requestArrived();
    expect(versions.read().users).toBe(first + 2);
  });
});
