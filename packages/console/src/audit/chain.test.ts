import { createSeal } from "@gatehouse/auth";
import { engines } from "@gatehouse/db/testing/engines";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { getAttention } from "../overview/attention.ts";
import { auditTampering } from "../testing/audit-tampering.ts";
import { ADMIN, type Installation, NOON, openInstallation } from "../testing/installation.ts";
import { chainKeyOf, rowHash } from "./chain.ts";
import { findAuditChain, listSealedRows } from "./chain-queries.ts";
import { checkAuditLog } from "./check.ts";
import { auditWrite } from "./entry.ts";
import { auditChainProblem } from "./health.ts";
import { pruneAuditLog } from "./prune.ts";
import { beginAuditSegment, createAuditSealer, sealAuditLog } from "./sealer.ts";
import { verifyAuditLog } from "./verify.ts";

const DAY = 86_400;

describe.each(engines)("CO-65 the chain of the audit log, on $name", (engine) => {
  let it: Installation;
  beforeEach(async () => {
    it = await openInstallation(engine);
  });
  afterEach(() => it.close());

  async function write(count: number): Promise<void> {
    for (let at = 0; at < count; at += 1) {
      it.clock.now += 1;
      const detail = {
        changes: { name: { before: null, after: `Shop ${at}` }, list: { before: [1, { b: 1, a: 2 }], after: [] } },
      };
      await it.deps.db.transaction([auditWrite(ADMIN, { action: "client.update", object: `c${at}`, detail }, it.deps)]);
    }
  }
  const sealed = async (count: number) => {
    await write(count);
    await sealAuditLog(it.deps);
  };
  const verify = (noted?: { number: number; mac: string }) => verifyAuditLog({ noted }, it.deps);
  const head = async () => {
    const chain = await findAuditChain(it.deps.db);
    return { number: chain?.number ?? 0, mac: chain?.mac ?? "" };
  };
  const tamper = () => auditTampering(it.deps.db);

  test("rows get numbers without gaps in the order of their ids, also when several processes seal at once", async () => {
    await write(220);
    await Promise.all([sealAuditLog(it.deps), sealAuditLog(it.deps), sealAuditLog(it.deps)]);
    const rows = await listSealedRows(it.deps.db, 1, 1_000);
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 220 }, (_, at) => at + 1));
    expect(rows.map(({ id }) => id)).toEqual(rows.map(({ id }) => id).sort());
    expect(await verify()).toMatchObject({ state: "intact", through: 220, head: { number: 220 } });
    expect(await tamper().unsealed()).toEqual([]);
  });

  test("an empty log is intact, and a log grows while it is verified", async () => {
    expect(await verify()).toMatchObject({ state: "intact", through: 0, head: null });
    await sealed(3);
    await sealed(2);
    expect(await verify()).toMatchObject({ state: "intact", through: 5 });
  });

  test.each<[string, (tampering: ReturnType<typeof auditTampering>) => Promise<unknown>, number]>([
    ["a changed row", ({ change }) => change(3, { actorName: "Eve" }), 3],
    ["a changed detail", ({ change }) => change(4, { detail: { changes: {} } }), 4],
    ["a deleted row", ({ remove }) => remove(3), 3],
    [
      "a deleted row whose followers moved up",
      async ({ remove, change, changeChain }) => {
        await remove(3);
        for (const number of [4, 5, 6]) await change(number, { number: number - 1 });
        await changeChain({ number: 5 });
      },
      3,
    ],
    [
      "an inserted row",
      async ({ insert }) => {
        const [row] = await listSealedRows(it.deps.db, 3, 1);
        if (row) await insert({ ...row, id: `${row.id}a`, actorName: "Eve" });
      },
      3,
    ],
    [
      "swapped rows",
      async ({ change }) => {
        await change(3, { number: 99 });
        await change(4, { number: 3 });
        await change(99, { number: 4 });
      },
      3,
    ],
    ["a cut-off tail", ({ cutOff }) => cutOff(5), 5],
    ["a row that claims an earlier secret", ({ change }) => change(2, { keyId: "another", actorName: "Eve" }), 2],
    [
      "a whole chain under another key",
      async ({ changeAll, removeChain }) => {
        await changeAll({ number: null, actorName: "Eve" });
        await removeChain();
        await sealAuditLog({ ...it.deps, seal: createSeal("the secret of somebody else, 32 bytes", it.deps.random) });
      },
      6,
    ],
  ])("%s is found, and the first such row named", async (_, doIt, number) => {
    await sealed(6);
    await doIt(tamper());
    expect(await verify()).toMatchObject({ state: "broken", broken: { number } });
  });

  test("rows that were cut off together with the end of the chain are missing from a head that was noted", async () => {
    await sealed(6);
    const noted = await head();
    const [fourth] = await listSealedRows(it.deps.db, 4, 1);
    await tamper().cutOff(5);
    await tamper().changeChain({ number: 4, hash: fourth?.hash ?? "", mac: fourth?.mac ?? "" });
    expect(await verify()).toMatchObject({ state: "intact", through: 4 });
    expect(await verify(noted)).toMatchObject({ state: "broken", broken: { number: 5 } });
    await sealed(3);
    expect(await verify(noted)).toMatchObject({
      state: "broken",
      broken: { number: 6, problem: expect.stringContaining("noted") },
    });
  });

  test("an operator who accepts a new secret begins a segment, and the earlier rows stay verifiable", async () => {
    await sealed(3);
    it.deps.seal = createSeal("the next secret of the tests, 32 bytes", it.deps.random);
    expect(await beginAuditSegment(ADMIN, [], it.deps)).toBe(true);
    expect(await beginAuditSegment(ADMIN, [], it.deps)).toBe(false);
    expect(await verify()).toMatchObject({ state: "intact", through: 4, findings: { segments: [4] } });
    const [segment] = await listSealedRows(it.deps.db, 4, 1);
    expect(segment).toMatchObject({
      action: "audit.new_secret",
      actorName: "admin",
      via: "cli",
      detail: { earlier_number: 3 },
    });
    await sealed(2);
    expect(await verify()).toMatchObject({ state: "intact", through: 6, findings: { segments: [4] } });
    await tamper().change(2, { actorName: "Eve" });
    expect(await verify()).toMatchObject({ state: "broken", broken: { number: 2 } });
  });

  /** What anybody can compute: the plain hashes from `first` on, behind `hash`. */
  async function recomputeHashes(first: number, before = "") {
    let hash = before;
    for (const row of await listSealedRows(it.deps.db, first, 100)) {
      hash = rowHash(hash, row.number, row);
      await tamper().change(row.number, { hash, keyId: "other" });
    }
    await tamper().changeChain({ hash, keyId: "other" });
  }

  test("rows that are rewritten under a claimed earlier secret are not sealed again, and the log says so", async () => {
    await sealed(6);
    await tamper().change(3, { actorName: "Eve" });
    await recomputeHashes(1);
    await write(1);
    await expect(sealAuditLog(it.deps)).rejects.toThrow(/not end with a row.*secret accept-new/);
    expect(await verify()).toMatchObject({
      state: "broken",
      broken: { problem: expect.stringContaining("installation's secret") },
    });
    expect(await auditChainProblem(it.deps)).toContain("not sealed any more");
  });

  test("a claimed earlier secret does not excuse a forged mark of deleted rows", async () => {
    await sealed(6);
    const [third] = await listSealedRows(it.deps.db, 3, 1);
    for (const number of [1, 2, 3]) await tamper().remove(number);
    await tamper().changeChain({ prunedNumber: 3, prunedHash: third?.hash ?? "", keyId: "other" });
    await expect(sealAuditLog(it.deps)).rejects.toThrow("secret accept-new");
    expect(await verify()).toMatchObject({ state: "broken" });
    await tamper().changeChain({ keyId: chainKeyOf(it.deps.seal.keys[0]).id });
    await expect(sealAuditLog(it.deps)).rejects.toThrow("the mark of the rows");
    await expect(pruneAuditLog(-DAY, it.deps)).rejects.toThrow("the mark of the rows");
  });

  /** Moves the end back to row 3 and takes the seals off the rows behind it, one of which is changed. */
  async function rollBack() {
    const [third] = await listSealedRows(it.deps.db, 3, 1);
    for (const { number } of await listSealedRows(it.deps.db, 4, 100)) {
      const change = number === 5 ? { actorName: "Eve" } : {};
      await tamper().change(number, { ...change, hash: null, mac: null, keyId: null, number: null });
    }
    await tamper().changeChain({ number: 3, hash: third?.hash ?? "", mac: third?.mac ?? "" });
  }

  test("a chain that was rolled back to have changed rows sealed again is noticed by a server that knew its end", async () => {
    const reports: unknown[] = [];
    const seal = createAuditSealer({
      ...it.deps,
      onMovedBack: (known, found) => reports.push([known.number, found?.number]),
    });
    await write(6);
    await seal();
    await rollBack();
    await seal();
    await seal();
    expect(reports).toEqual([[6, 3]]);
    expect(await verify()).toMatchObject({ state: "moved_back", findings: { movedBack: 7 } });
    const [row] = await listSealedRows(it.deps.db, 7, 1);
    expect(row).toMatchObject({ action: "audit.chain_moved_back", detail: { known_number: 6, found_number: 3 } });
    expect(await auditChainProblem(it.deps)).toContain("moved back");
  });

  test("a known row that was sealed again under its own number is noticed as well", async () => {
    const reports: unknown[] = [];
    const seal = createAuditSealer({
      ...it.deps,
      onMovedBack: (known, found) => reports.push([known.number, found?.number]),
    });
    await write(6);
    await seal();
    await rollBack();
    await sealAuditLog(it.deps);
    await seal();
    expect(reports).toEqual([[6, 6]]);
  });

  test("without such a server, the time of sealing shows rows that were sealed long after they were written, and a noted head finds them", async () => {
    await sealed(6);
    const noted = await head();
    await rollBack();
    it.clock.now += DAY;
    await sealAuditLog(it.deps);
    expect(await verify()).toMatchObject({
      state: "intact",
      findings: { sealedLate: [{ from: 4, to: 6, sealedAt: it.clock.now }] },
    });
    expect(await verify(noted)).toMatchObject({
      state: "broken",
      broken: { number: 6, problem: expect.stringContaining("noted") },
    });
    const [fifth] = await listSealedRows(it.deps.db, 5, 1);
    await tamper().change(5, { mac: fifth?.mac.replace(/\d+$/, String(NOON)) ?? "" });
    expect(await verify()).toMatchObject({ state: "broken", broken: { number: 5 } });
  });

  test("rows without the end of the chain are not sealed from the start", async () => {
    await sealed(3);
    await tamper().removeChain();
    await write(1);
    await expect(sealAuditLog(it.deps)).rejects.toThrow("the end of the chain is missing");
  });

  test("a row whose secret changed without an operator's row is found", async () => {
    await sealed(4);
    it.deps.seal = createSeal("the next secret of the tests, 32 bytes", it.deps.random);
    await beginAuditSegment(ADMIN, [], it.deps);
    await tamper().change(3, { keyId: "other" });
    expect(await verify()).toMatchObject({
      state: "broken",
      broken: { number: 3, problem: expect.stringContaining("no operator") },
    });
  });

  test("rows that an earlier version sealed, without a time, stay verifiable", async () => {
    await sealed(3);
    const key = chainKeyOf(it.deps.seal.keys[0]);
    for (const { number, hash } of await listSealedRows(it.deps.db, 1, 3)) {
      const mac = key.mac("row", number, hash);
      await tamper().change(number, { mac });
      await tamper().changeChain({ mac });
    }
    await sealed(2);
    expect(await verify()).toMatchObject({ state: "intact", through: 5 });
    expect(await auditChainProblem(it.deps)).toBeUndefined();
  });

  test("CO-66 pruning deletes rows by age, leaves a row and a checkpoint that verifies, and nobody without the secret can do it", async () => {
    await sealed(3);
    it.clock.now = NOON + 400 * DAY;
    await sealed(2);
    expect(await pruneAuditLog(400 * DAY - 10, it.deps)).toBe(3);
    await sealAuditLog(it.deps);
    expect(await listSealedRows(it.deps.db, 1, 10)).toMatchObject([
      { number: 4 },
      { number: 5 },
      { number: 6, action: "audit.prune", detail: { through: 3, rows: 3 } },
    ]);
    expect(await verify()).toMatchObject({ state: "intact", through: 6 });
    expect(await pruneAuditLog(400 * DAY - 10, it.deps)).toBe(0);

    const [fourth] = await listSealedRows(it.deps.db, 4, 1);
    await tamper().remove(4);
    await tamper().changeChain({ prunedNumber: 4, prunedHash: fourth?.hash ?? "" });
    expect(await verify()).toMatchObject({ state: "broken", broken: { number: 4 } });
  });

  test("CO-66 what was changed is not deleted", async () => {
    await sealed(2);
    await tamper().change(2, { mac: "forged" });
    await expect(pruneAuditLog(-DAY, it.deps)).rejects.toThrow("row 2 of the audit log was changed");
  });

  test("CO-66 a row whose content was changed under its stored hash and MAC is not deleted, whatever its place", async () => {
    await sealed(4);
    await tamper().change(2, { actorName: "Eve" });
    await expect(pruneAuditLog(-DAY, it.deps)).rejects.toThrow("row 2 of the audit log was changed");
    it.deps.seal = createSeal("the next secret of the tests, 32 bytes", it.deps.random);
    await beginAuditSegment(ADMIN, [], it.deps);
    await expect(pruneAuditLog(-DAY, it.deps)).rejects.toThrow("row 2 of the audit log was changed");
  });

  test("a long log is verified in several calls", async () => {
    await sealed(5);
    const first = await verifyAuditLog({ maxRows: 3 }, it.deps);
    expect(first).toMatchObject({ state: "more", through: 3 });
    expect(await verifyAuditLog({ cursor: first.cursor, maxRows: 3 }, it.deps)).toMatchObject({
      state: "intact",
      through: 5,
    });
  });

  describe("CO-09 the check of the overview", () => {
    const runs = async (count: number) => {
      for (let at = 0; at < count; at += 1) await checkAuditLog(it.deps, 2);
    };
    const audit = async () =>
      (await getAttention({ again: true }, it.deps)).items.find(({ check }) => check === "audit");

    test("verifies a few rows at a time, round after round, and says since when which row is wrong", async () => {
      await sealed(5);
      await runs(4);
      expect(await audit()).toMatchObject({ state: "ok", since: null });
      await tamper().change(2, { actorName: "Eve" });
      await runs(4);
      const since = it.clock.now;
      const finding = {
        state: "failed",
        since,
        fix: { page: "audit" },
        sentence: expect.stringContaining("changed at row 2:"),
      };
      expect(await audit()).toMatchObject(finding);
      it.clock.now += DAY;
      await runs(4);
      expect(await audit()).toMatchObject(finding);
    });

    test("rows that are deleted because of their age, also in the middle of a round, are no finding", async () => {
      await sealed(4);
      await runs(1);
      it.clock.now += 400 * DAY;
      await sealed(1);
      await pruneAuditLog(30 * DAY, it.deps);
      await runs(4);
      expect(await audit()).toMatchObject({ state: "ok" });
    });
  });
});
