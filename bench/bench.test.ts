import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { compare, verdict } from "./against/comparison.ts";
import { historyTable } from "./against/nights.ts";
import { type CpuProfile, modulesOf, timeByStep } from "./costs/profile.ts";
import { stepOf } from "./costs/steps.ts";
import type { Figures } from "./load.ts";
import { table } from "./sdk/report.ts";
import { predictedRate } from "./statistics.ts";
import { split, takeFirst } from "./traffic.ts";
import { WORKLOADS } from "./workloads.ts";
import { figuresOf, luaString } from "./wrk.ts";

const figures = (requests: number, cpuMicros: number): Figures => ({
  requests,
  seconds: 2,
  p50Ms: 1,
  p99Ms: 2,
  cpuMicros,
  rssMib: 1,
  period: { from: 0, to: 1 },
  loadBusy: 0.5,
  errors: {},
});

describe("two commits", () => {
  const pair = (workload: string, here: [number, number], there: [number, number]) => ({
    workload,
    here: figures(...here),
    there: figures(...there),
  });

  test("are compared within each round, and the table has the median and the spread of those ratios", () => {
    const [refresh, guard] = compare([
      pair("refresh", [200, 50], [100, 100]),
      pair("guard", [100, 10], [100, 10]),
      pair("refresh", [300, 80], [100, 100]),
      pair("refresh", [900, 90], [100, 100]), // a round in which the machine was quick
    ]);
    expect(refresh).toMatchObject({
      workload: "refresh",
      rounds: 3,
      rate: { median: 3, min: 2, max: 9 },
      cpu: { median: 0.8, min: 0.5, max: 0.9 },
    });
    expect(guard).toMatchObject({ workload: "guard", rate: { median: 1, min: 1, max: 1 } });
  });

  test.each([
    ["slower", { median: 1.05, min: 1.01, max: 1.1 }, 3],
    ["faster", { median: 0.9, min: 0.8, max: 0.99 }, 3],
    ["", { median: 1.05, min: 0.99, max: 1.3 }, 5], // the rounds disagree
    ["", { median: 1.02, min: 1.01, max: 1.03 }, 5], // too little
    ["", { median: 1.5, min: 1.5, max: 1.5 }, 1], // too few rounds
  ])("with these rounds, the verdict is %j", (expected, cpu, rounds) => {
    expect(verdict({ cpu, rounds })).toBe(expected);
  });
});

test("a mix is predicted by the time that its parts take", () => {
  expect(predictedRate({ quick: 0.5, slow: 0.5 }, { quick: 1000, slow: 100 })).toBeCloseTo(
    1 / (0.5 / 1000 + 0.5 / 100),
  );
  expect(predictedRate({ known: 0.5, unknown: 0.5 }, { known: 1000 })).toBeNaN();
});

test("the mixed workload has the shares that its prediction counts with", async () => {
  const mixed = WORKLOADS.find(({ slug }) => slug === "mixed");
  const mint = async (_: string, count: number) => Array.from({ length: count }, (_, at) => `value-${at}`);
  const paths = { token: "/token", introspection: "/introspect", resource: "/resource", webhook: "/webhook" };
  const traffic = await mixed?.traffic({ paths, mint, codes: 1, seconds: 0.001, connections: 1, manyTokens: 2 });
  if (traffic?.kind !== "mix" || typeof mixed?.relativeTo !== "object") throw new Error("expected a mix");
  const shares = traffic.sources.map(
    (_, source) => traffic.order.filter((at) => at === source).length / traffic.order.length,
  );
  expect(shares).toEqual(Object.values(mixed.relativeTo));
});

describe("wrk", () => {
  const printed = (change: object) =>
    `Running 4s test\n\n${JSON.stringify({
      requests: 1000,
      micros: 4_000_000,
      p50: 1500,
      p99: 9000,
      cpuSeconds: 2,
      connect: 0,
      read: 0,
      write: 0,
      timeout: 0,
      status: 0,
      unexpected: 0,
      exhausted: 0,
      ...change,
    })}\n`;
  const [before, after] = [
    { cpuMicros: 10_000, rssMib: 100 },
    { cpuMicros: 60_000, rssMib: 110 },
  ];

  test("its line becomes figures", () => {
    expect(figuresOf(printed({}), { expectedStatus: 200 }, before, after)).toEqual({
      requests: 1000,
      seconds: 4,
      p50Ms: 1.5,
      p99Ms: 9,
      cpuMicros: 50,
      rssMib: 110,
      loadBusy: 0.5,
      errors: {},
    });
  });

  test.each([
    ["a status of an error", 200, { status: 3 }, { "unexpected status": 3 }],
    ["another success than the expected one", 200, { unexpected: 2 }, { "unexpected status": 2 }],
    ["a success where a refusal is expected", 401, { status: 1000, unexpected: 1 }, { "unexpected status": 1 }],
    ["none for an expected refusal", 401, { status: 1000 }, {}],
    ["a lost connection", 200, { read: 1 }, { "connection lost": 1 }],
    ["values that are used up", 200, { exhausted: 1 }, { "values used up": 1 }],
  ])("errors: %s", (_, expectedStatus, change, errors) => {
    expect(figuresOf(printed(change), { expectedStatus }, before, after).errors).toEqual(errors);
  });

  test("output without the line is an error that shows it", () => {
    expect(() => figuresOf("unable to connect", { expectedStatus: 200 }, before, after)).toThrow("unable to connect");
  });

  test("texts reach its script byte for byte", () => {
    const text = 'GET / HTTP/1.1\r\nX: "\\\t\u0000%s1\r\n\r\n';
    expect(luaString(text)).toBe(String.raw`"GET / HTTP/1.1\013\010X: \034\092\009\000%s1\013\010\013\010"`);
  });
});

test("no value that works once is in both the check, the warm-up and the measurement", () => {
  const request = { method: "POST", path: "/token", headers: {}, body: "code={value}" } as const;
  const traffic = { kind: "each" as const, request, values: ["a", "b", "c", "d", "e"] };
  expect(takeFirst(traffic).map(({ body }) => body)).toEqual(["code=a"]);
  const parts = split(traffic, 0.25).map((part) => (part.kind === "each" ? part.values : []));
  expect(parts).toEqual([["b"], ["c", "d", "e"]]);
});

describe("the time of a profile", () => {
  const call = (functionName: string, url = "") => ({ functionName, url, lineNumber: 0 });
  const profile: CpuProfile = {
    startTime: 1000,
    nodes: [
      { id: 1, callFrame: call("(root)"), children: [2, 5] },
      { id: 2, callFrame: call("attempt", "packages/db/src/sqlite/shared-transaction.ts"), children: [3, 4] },
      { id: 3, callFrame: call("exec") },
      { id: 4, callFrame: call("all", "packages/db/src/sqlite/statements.ts") },
      { id: 5, callFrame: call("(idle)") },
    ],
    samples: [3, 4, 5, 3, 4],
    timeDeltas: [0, 100, 50, 25, 200],
  };

  test("is that of the samples in the period, without idling", () => {
    const all = timeByStep(profile, { from: 1000, to: 2000 }, (url) => url, stepOf);
    expect([...all]).toEqual([
      ["commit", 100 + 200],
      ["statements of the write", 50],
    ]);
    const later = timeByStep(profile, { from: 1150, to: 2000 }, (url) => url, stepOf);
    expect([...later]).toEqual([["commit", 200]]);
  });

  test.each([
    [
      "a hash for the client's secret",
      ["packages/auth/src/crypto/secret.ts", "packages/auth/src/clients/authentication.ts"],
      "client authentication, signature",
    ],
    [
      "the client's row",
      ["packages/db/src/stores/auth/store.ts", "packages/auth/src/clients/authentication.ts"],
      "reads and caches",
    ],
    [
      "a new token",
      ["packages/auth/src/crypto/secret.ts", "packages/auth/src/grants/refresh-token.ts"],
      "minting and hashing",
    ],
    ["a buffer of a socket", ["node:net", "node:_http_outgoing", "apps/web/server/node/convert.ts"], "Node's HTTP"],
    ["what none of our functions called", ["", "node:internal/process/task_queues"], "Node's HTTP"],
  ])("%s belongs to a step", (_, sources, step) => {
    expect(stepOf(sources.map((source) => ({ name: "", source })))).toBe(step);
  });

  test("is found in a bundle by the comments before its modules", () => {
    const bundle = "// ../../packages/db/src/a.ts\nvar a;\n// a comment\n// server/b.tsx\nvar b;";
    expect(modulesOf(bundle, "/repository/apps/web", "/repository")).toEqual([
      { line: 0, source: "packages/db/src/a.ts" },
      { line: 3, source: "apps/web/server/b.tsx" },
    ]);
  });
});

test("an unknown commit is named, with what to do", () => {
  const { status, stderr } = spawnSync(process.execPath, ["bench.mjs", "--against", "no-such-commit"], {
    cwd: import.meta.dirname,
    encoding: "utf8",
  });
  expect(status).toBe(2);
  expect(stderr).toContain("there is no commit no-such-commit here");
});

test("the history multiplies nights that follow each other, since small steps add up", () => {
  const one = { median: 1.02, min: 1, max: 1.1 };
  const night = (when: string, there: string, here: string) => ({
    when,
    there,
    here,
    engine: "sqlite",
    compared: [{ workload: "refresh", rate: one, cpu: one, p99: one, rounds: 5 }],
  });
  const nights = [night("2026-01-01", "a", "b"), night("2026-01-02", "b", "c"), night("2026-01-03", "c", "d")];
  const lines = historyTable(nights).split("\n");
  expect(lines[2]).toBe("| 2026-01-03, d × c | 1.02 |");
  expect(lines.at(-1)).toBe("| all together | 1.06 |");
  expect(historyTable([night("2026-01-01", "a", "b"), night("2026-01-02", "a", "c")])).not.toContain("all together");
});

test("PK-69 the comparison of sessions has ratios within each round, and says where a target is missed", () => {
  const times = (who: number, proxy: number, wait: number) => ({ who, proxy, wait });
  const round = (slow: number) => ({
    floor: times(0.1 * slow, 0.01 * slow, 2 * slow),
    gatehouse: times(0.2 * slow, 0.4 * slow, 2.5 * slow),
    "next-auth": times(0.6 * slow, 0.8 * slow, 3 * slow),
    "better-auth": times(0.4 * slow, 0.4 * slow, 3 * slow),
    "better-auth-stored": times(1 * slow, 1 * slow, 4 * slow),
  });
  const cookies = {
    floor: "",
    gatehouse: "12345",
    "next-auth": "12345",
    "better-auth": "1",
    "better-auth-stored": "1",
  };
  const versions = { next: "16.4.6", "next-auth": "5.0.0", "better-auth": "1.7.5" };
  const text = table([round(1), round(1), round(3)], { versions, cookies });
  expect(text).toContain("| Gatehouse | 0.200 (≤ 0.3) | 1.00 × | 0.400 (≤ 1) | 1.00 × | 0.500 (≤ 1) |");
  expect(text).toContain("| next-auth | 0.600 | 3.00 × | 0.800 | 2.00 × | 1.000 |");
  expect(table([round(3)], { versions, cookies })).toContain("0.600 (≤ 0.3, missed)");
});
