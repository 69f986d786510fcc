import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { ITEMS, THRESHOLDS } from "../packages/console/src/status/items.ts";
import { definitions } from "../packages/runtime/src/metrics/catalog.ts";

// What Prometheus itself says about the rules is in e2e/http/prometheus.full.test.ts.

type Rule = { alert?: string; record?: string; expr: string; annotations?: { summary: string; runbook: string } };
type Panel = { title: string; targets?: { expr: string }[] };

const read = (file: string) => readFileSync(join(import.meta.dirname, "..", file), "utf8");
const rules: Rule[] = parse(read("ops/alerts.yaml")).groups.flatMap(({ rules }: { rules: Rule[] }) => rules);
const alerts = rules.filter(({ alert }) => alert !== undefined);
const panels: Panel[] = JSON.parse(read("ops/grafana.json")).panels;
const queries = [
  ...rules.map(({ alert, record, expr }) => [alert ?? record ?? "", expr] as const),
  ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const)),
];

/** The metrics that a query names, with the labels that it selects or groups by. */
const metricsIn = (expr: string) =>
  [...expr.matchAll(/\b(?:gatehouse|http|nodejs|process)_[a-z_]+/g)].map(([name]) => name);
const labelsIn = (expr: string) => [
  ...[...expr.matchAll(/([a-z_]+)\s*(?:=~|!=|!~|=)\s*"/g)].map(([, label = ""]) => label),
  ...[...expr.matchAll(/\b(?:by|without)\s*\(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(/\s*,\s*/)),
];

describe("OP-79 OP-80: alerts and dashboard", () => {
  test.each(queries)("%s asks for metrics and labels that exist", (_, expr) => {
    const asked = metricsIn(expr).filter(
      (name) => !name.startsWith("http_route") && !/^http_(request|response)_/.test(name),
    );
    const known = asked.map(
      (name) => definitions.get(name) ?? definitions.get(name.replace(/_(bucket|sum|count)$/, "")),
    );
    expect(asked.filter((_, at) => known[at] === undefined)).toEqual([]);
    const labels = new Set(["le", "instance", ...known.flatMap((one) => one?.labels ?? [])]);
    expect(labelsIn(expr).filter((label) => !labels.has(label))).toEqual([]);
  });

  test.each(alerts)("$alert has three first steps in the runbook", ({ alert = "", annotations }) => {
    expect(annotations?.runbook).toBe(`docs/operations.md#${alert.toLowerCase()}`);
    const [, section = ""] = read("docs/operations.md").split(`\n#### ${alert}\n`);
    expect(section.split("\n#")[0]?.match(/^\d\. /gm)).toEqual(["1. ", "2. ", "3. "]);
  });

  test("the status names alerts that exist", () => {
    const named = Object.values(ITEMS).flatMap(({ alert }) => (alert === null ? [] : [alert]));
    expect(named.filter((name) => !alerts.some(({ alert }) => alert === name))).toEqual([]);
  });

  test.each([
    ["GatehouseLeaseLate", THRESHOLDS.leaseSeconds],
    ["GatehouseJobLate", THRESHOLDS.jobSeconds],
    ["GatehouseSweepLag", THRESHOLDS.sweepSeconds],
    ["GatehousePartitionsMissing", THRESHOLDS.partitionsAhead],
    ["GatehouseBackupOld", THRESHOLDS.backupSeconds],
    ["GatehouseSigningKeyLate", THRESHOLDS.signingKeySeconds],
    ["GatehouseWalLong", THRESHOLDS.walBytes],
    ["GatehouseDiskLow", THRESHOLDS.diskFree],
    ["GatehouseSignatureFailures", THRESHOLDS.badSignatures],
  ])("%s has the threshold of the status, %s", (name, threshold) => {
    const { expr = "" } = alerts.find(({ alert }) => alert === name) ?? {};
    expect(expr.match(/[<>] ([\d.]+)/)?.[1]).toBe(String(threshold));
  });
});
