import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../harness/commands.ts";
import { startWeb } from "../harness/gatehouse.ts";
import { type Installation, newInstallation } from "../harness/installation.ts";
import { freePort, launch, type Running, untilReady } from "../harness/processes.ts";

const RULES = join(ROOT, "ops/alerts.yaml");
const has = (program: string) => {
  try {
    execFileSync("sh", ["-c", `command -v ${program}`]);
    return true;
  } catch {
    return false;
  }
};

type Panel = { title: string; targets?: { expr: string }[] };
const queries = (JSON.parse(readFileSync(join(ROOT, "ops/grafana.json"), "utf8")).panels as Panel[]).flatMap(
  ({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const),
);

// Debian's package prometheus has both programs.
describe.skipIf(!has("prometheus") || !has("promtool"))("OP-79: Debian's Prometheus", () => {
  let own: Installation;
  let server: Running;
  let prometheus: Running;
  let api: string;
  let opsPort: number;

  beforeAll(async () => {
    opsPort = await freePort();
    own = await newInstallation("sqlite", { GATEHOUSE_OPS_PORT: String(opsPort) });
    server = await startWeb(own.env, own.port);
    const port = await freePort();
    api = `http://127.0.0.1:${port}`;
    const config = join(own.folder, "prometheus.yaml");
    writeFileSync(
      config,
      JSON.stringify({
        global: { scrape_interval: "1s", evaluation_interval: "1s" },
        rule_files: [RULES],
        scrape_configs: [{ job_name: "gatehouse", static_configs: [{ targets: [`127.0.0.1:${opsPort}`] }] }],
      }),
    );
    const flags = [
      `--config.file=${config}`,
      `--storage.tsdb.path=${own.folder}/tsdb`,
      `--web.listen-address=127.0.0.1:${port}`,
    ];
    prometheus = launch("prometheus", flags, { cwd: own.folder, env: {} });
    await untilReady(`${api}/-/ready`, prometheus);
  });
  afterAll(async () => {
    await prometheus?.stop();
    await server?.stop();
    await own?.remove();
  });

  const ask = async (path: string) =>
    (await (await fetch(`${api}/api/v1/${path}`)).json()) as { status: string; data: never; error?: string };
  const query = (expr: string) => ask(`query?query=${encodeURIComponent(expr)}`);

  test("finds nothing wrong with the rules, whose tests pass", () => {
    expect(execFileSync("promtool", ["check", "rules", RULES], { encoding: "utf8" })).toContain("SUCCESS");
    const tests = join(ROOT, "ops/alerts.test.yaml");
    expect(execFileSync("promtool", ["test", "rules", tests], { encoding: "utf8" })).toContain("SUCCESS");
  });

  test("OP-73 OP-75: scrapes the server, and its linter finds nothing wrong with what it gets", async () => {
    const up = { result: [{ value: [expect.any(Number), "1"] }] };
    await expect.poll(async () => (await query("up")).data).toMatchObject(up);
    const text = await (await fetch(`http://127.0.0.1:${opsPort}/metrics`)).text();
    execFileSync("promtool", ["check", "metrics"], { input: text });
    expect(text.split("\n").filter((line) => line !== "" && !line.startsWith("#")).length).toBeLessThanOrEqual(2_500);
  });

  test("loads every rule, and evaluates each without an error", async () => {
    type Rules = { groups: { rules: { name: string; health: string; lastError?: string }[] }[] };
    const health = async () =>
      ((await ask("rules")).data as Rules).groups.flatMap(({ rules }) => rules.map(({ health: one }) => one));
    await expect.poll(async () => new Set(await health())).toEqual(new Set(["ok"]));
  });

  test.each(queries)("answers the dashboard's query of %s: %s", async (_, expr) => {
    expect(await query(expr)).toMatchObject({ status: "success" });
  });

  test("has data for what every server measures", async () => {
    await fetch(`${own.issuer}/token`, { method: "POST", body: new URLSearchParams({ grant_type: "password" }) });
    const measured = async (expr: string) => ((await query(expr)).data as { result: unknown[] }).result.length;
    for (const expr of [
      'http_server_request_duration_seconds_count{http_route="/token",http_response_status_code="400"} > 0',
      "gatehouse_refusals_total > 0",
      "gatehouse_lease_age_seconds",
      "gatehouse_sqlite_wal_bytes",
      "gatehouse_disk_free_bytes / gatehouse_disk_size_bytes",
      "gatehouse_sweep_oldest_dead_seconds",
      "gatehouse_signing_key_age_seconds",
      'gatehouse_refresh_reuse_total{kind="attack"}',
      "rate(process_cpu_seconds_total[10s])",
    ])
      await expect.poll(() => measured(expr), { message: expr }).toBeGreaterThan(0);
  });
});
