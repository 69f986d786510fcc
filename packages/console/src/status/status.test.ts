import { describe, expect, test } from "vitest";
import type { Facts } from "./facts.ts";
import type { HostFacts } from "./host-facts.ts";
import { ITEMS, type ItemName, THRESHOLDS } from "./items.ts";

const NOW = 1_800_000_000;

const HOST: HostFacts = {
  version: "1.2.3",
  node: "24.0.0",
  engine: "sqlite",
  missingMigrations: [],
  walBytes: 0,
  disk: { freeBytes: 50, totalBytes: 100 },
  backups: { madeAt: NOW - 60, verifiedAt: NOW - 60, restoredAt: null, by: "folder" },
  certificate: { endsAt: NOW + 90 * 86_400 },
  oldSealKeys: [],
};

const WELL: Facts = {
  at: NOW,
  host: HOST,
  tasks: [{ name: "sweep", seconds: -30 }],
  jobs: [{ queue: "mail", state: "due", count: 2, oldestAt: NOW - 5 }],
  signingKeys: [{ algorithm: "ES256", ageSeconds: 86_400 }],
  sweepLag: { sessions: 10 },
  partitions: [{ table: "access_tokens", ahead: 2, strayRows: 0 }],
  refusals: [{ cause: "client_unknown", count: 3 }],
  deliveries: { all: 100, badSignatures: 1 },
};

const host = (changed: Partial<HostFacts>): Partial<Facts> => ({ host: { ...HOST, ...changed } });

const backups = (changed: Partial<HostFacts["backups"]>) => host({ backups: { ...HOST.backups, ...changed } });

const UNWELL: [ItemName, "warning" | "failed", Partial<Facts>, RegExp][] = [
  ["schema", "failed", host({ missingMigrations: ["0002_more"] }), /0002_more.*migrate/],
  ["tasks", "warning", { tasks: [] }, /No server/],
  ["tasks", "failed", { tasks: [{ name: "sweep", seconds: THRESHOLDS.leaseSeconds + 1 }] }, /sweep/],
  ["jobs", "failed", { jobs: [{ queue: "mail", state: "due", count: 1, oldestAt: NOW - 301 }] }, /mail.*5 min/],
  ["jobs", "warning", { jobs: [{ queue: "mail", state: "dead", count: 1, oldestAt: NOW }] }, /1 dead/],
  ["deliveries", "failed", { deliveries: { all: 20, badSignatures: 5 } }, /25 %/],
  ["refusals", "warning", { refusals: [{ cause: "refresh_token_reused", count: 2 }] }, /used twice/],
  ["signingKeys", "failed", { signingKeys: [{ algorithm: "ES256", ageSeconds: 98 * 86_400 }] }, /98 days/],
  ["seal", "warning", host({ oldSealKeys: ["k1"] }), /k1.*rewrap/],
  ["sweep", "failed", { sweepLag: { sessions: 7_201 } }, /sessions.*2 h/],
  [
    "partitions",
    "failed",
    { partitions: [{ table: "access_tokens", ahead: 0, strayRows: 0 }] },
    /access_tokens.*--keep/,
  ],
  ["strayRows", "warning", { partitions: [{ table: "access_tokens", ahead: 2, strayRows: 3 }] }, /3 of access_tokens/],
  ["backups", "failed", backups({ madeAt: NOW - 27 * 3_600, verifiedAt: null }), /27 h/],
  ["backups", "warning", backups({ verifiedAt: NOW - 9 * 86_400 }), /9 days/],
  ["backups", "warning", backups({ madeAt: null }), /gatehouse backup/],
  ["backups", "warning", backups({ madeAt: null, by: "store" }), /object store/],
  ["backups", "failed", backups({ madeAt: NOW - 27 * 3_600, by: "dumps" }), /27 h/],
  ["disk", "failed", host({ disk: { freeBytes: 14, totalBytes: 100 } }), /14 %/],
  ["wal", "failed", host({ walBytes: THRESHOLDS.walBytes + 1 }), /256/],
  ["certificate", "warning", host({ certificate: { endsAt: NOW + 13 * 86_400 } }), /13 days/],
  ["certificate", "failed", host({ certificate: { endsAt: NOW } }), /expired/],
  ["certificate", "warning", host({ certificate: { endsAt: null } }), /cannot be read/],
];

describe("OP-79: the status", () => {
  test.each(Object.keys(ITEMS) as ItemName[])("%s is well where nothing is wrong", (name) => {
    expect(ITEMS[name].judge(WELL).level).toBe("ok");
  });

  test.each(UNWELL)("%s: %s", (name, level, changed, sentence) => {
    const verdict = ITEMS[name].judge({ ...WELL, ...changed });
    expect(verdict.level).toBe(level);
    expect(verdict.sentence).toMatch(sentence);
  });

  test("an item that can be unwell has a test for it", () => {
    const tested = new Set(UNWELL.map(([name]) => name));
    expect(Object.keys(ITEMS).filter((name) => !tested.has(name as ItemName))).toEqual(["version", "database"]);
  });

  test("OP-53 backups that others make are well, whatever their age, and a restore is told", () => {
    const { backups: of } = ITEMS;
    const others = of.judge({ ...WELL, ...backups({ madeAt: null, verifiedAt: null, by: "others" }) });
    expect(others).toEqual({ level: "ok", sentence: expect.stringContaining("not known here") });
    const restored = of.judge({ ...WELL, ...backups({ restoredAt: NOW - 3 * 86_400 }) });
    expect(restored).toEqual({ level: "ok", sentence: expect.stringContaining("restored 3 days ago") });
  });

  test("a few wrong signatures are no share", () => {
    expect(ITEMS.deliveries.judge({ ...WELL, deliveries: { all: 19, badSignatures: 19 } }).level).toBe("ok");
  });
});
