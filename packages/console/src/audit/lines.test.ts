import { accountEvent } from "@gatehouse/accounts";
import { mintTimeOrderedId } from "@gatehouse/auth";
import { engines } from "@gatehouse/db/testing/engines";
import { beforeEach, describe, expect, test } from "vitest";
import { auditTampering } from "../testing/audit-tampering.ts";
import {
  ADMIN,
  type Installation,
  openInstallation,
  seedApplication,
  signUpUnverified,
} from "../testing/installation.ts";
import { saveAccountEvent } from "../users/activity-queries.ts";
import { auditRow, auditWrite } from "./entry.ts";
import { type WriteLines, writeAuditLines } from "./lines.ts";
import { pruneAuditLog } from "./prune.ts";
import { sealAuditLog } from "./sealer.ts";

const DAY = 86_400;
const PASSWORD = "a password that nobody may read";

describe.each(engines)("OP-78 the audit log as lines, on $name", (engine) => {
  let it: Installation;
  let text: string;
  let changed: number[];
  const stopping = () => new AbortController();
  const take: WriteLines = async (lines) => {
    text += lines;
  };
  beforeEach(async () => {
    it = await openInstallation(engine);
    text = "";
    changed = [];
    return () => it.close();
  });

  const run = (write = take, { signal } = stopping()) =>
    writeAuditLines({ db: it.deps.db, write, onChanged: ({ number }) => changed.push(number) }, signal);
  /** The lines that one more run writes. */
  async function next(): Promise<Record<string, unknown>[]> {
    text = "";
    await run();
    expect(text === "" || text.endsWith("\n")).toBe(true);
    return text
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  }
  const objects = async () => (await next()).map(({ object }) => object);
  function change(object: string) {
    it.clock.now += 1;
    return auditWrite(ADMIN, { action: "client.update", object }, it.deps);
  }
  async function audit(...ids: string[]): Promise<void> {
    await it.deps.db.transaction(ids.map(change));
    await sealAuditLog(it.deps);
  }
  const source = { userAgent: 'a "browser"\n', address: "192.0.2.1" };
  const event = () => accountEvent("signed_in", { userId: "user", source }, it.deps);

  test("each row and each event is one line with a mark of its own, and is written once", async () => {
    await audit("one", "two");
    await saveAccountEvent(it.deps.db, event());
    const time = it.clock.now * 1000;
    expect(await next()).toEqual([
      expect.objectContaining({
        gatehouse_log: "audit",
        time: time - 1000,
        number: 1,
        object: "one",
        action: "client.update",
      }),
      expect.objectContaining({ gatehouse_log: "audit", time, number: 2, object: "two", mac: expect.any(String) }),
      expect.objectContaining({ gatehouse_log: "account", time, userId: "user", kind: "signed_in", ...source }),
    ]);
    expect(await next()).toEqual([]);
    await audit("three");
    expect(await objects()).toEqual(["three"]);
  });

  test("a row and an event whose transactions commit after those of later ids are not skipped", async () => {
    // As of a process whose transaction is still open.
    const lateRow = auditRow(ADMIN, { action: "client.update", object: "late" }, it.deps);
    const lateEvent = { ...event(), id: mintTimeOrderedId({ ...it.deps, now: () => it.clock.now - 60 }) };
    it.clock.now += 60;
    await audit("early");
    await saveAccountEvent(it.deps.db, event());
    expect(await next()).toHaveLength(2);
    await it.deps.db.insert(it.deps.db.tables.audit).values(lateRow);
    await saveAccountEvent(it.deps.db, lateEvent);
    expect(await objects()).toEqual([undefined]);
    await sealAuditLog(it.deps);
    expect(await objects()).toEqual(["late"]);
  });

  test("what was written when the process died comes again, and what could not be written comes later", async () => {
    await audit("one");
    await saveAccountEvent(it.deps.db, event());
    await expect(
      run(async (lines) => {
        text += lines;
        throw new Error("killed after the write");
      }),
    ).rejects.toThrow("killed");
    expect(text).toContain('"one"');
    expect(await next()).toHaveLength(2);
    expect(await next()).toEqual([]);
  });

  test("more rows than a batch are written in batches, the next after the last was taken", async () => {
    await audit(...Array.from({ length: 250 }, (_, at) => `c${at}`));
    const sizes: number[] = [];
    let busy = 0;
    await run(async (lines) => {
      expect(++busy).toBe(1);
      await new Promise(setImmediate);
      busy -= 1;
      sizes.push(lines.split("\n").length - 1);
    });
    expect(sizes).toEqual([200, 50]);
  });

  test("it stops while nobody reads the lines, and they come again", async () => {
    await audit("one");
    const stop = stopping();
    await run(() => {
      stop.abort();
      return new Promise(() => {});
    }, stop);
    expect(await objects()).toEqual(["one"]);
    const stopped = stopping();
    stopped.abort();
    await audit("two");
    await run(() => Promise.reject(new Error("wrote")), stopped);
    expect(await objects()).toEqual(["two"]);
  });

  test("rows that were deleted because of their age are passed over; a chain that was changed is written again", async () => {
    await audit("old");
    expect(await objects()).toEqual(["old"]);
    it.clock.now += 400 * DAY;
    await pruneAuditLog(DAY, it.deps);
    await audit("new");
    expect(await objects()).toEqual(["audit", "new"]);
    expect(changed).toEqual([]);
    await auditTampering(it.deps.db).change(3, { mac: "another" });
    expect(await objects()).toEqual(["audit", "new"]);
    expect(changed).toEqual([3]);
  });

  test("no line has a secret", async () => {
    const { secret } = await seedApplication(it.deps);
    await signUpUnverified({ email: "ada@example.com", name: "Ada", password: PASSWORD }, it.deps);
    await sealAuditLog(it.deps);
    const kinds = (await next()).map(({ action, kind }) => action ?? kind);
    expect(kinds).toEqual(expect.arrayContaining(["client_secret.add", "signed_up"]));
    expect(secret.length).toBeGreaterThan(20);
    expect(text).not.toContain(secret);
    expect(text).not.toContain(PASSWORD);
    expect(text).not.toMatch(/\$argon2|passwordHash/);
  });
});
