import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fixture } from "../harness/fixture.ts";
import { signIn } from "../harness/flow.ts";
import { apply, ROOT, startWeb } from "../harness/gatehouse.ts";
import { freePort, type Running } from "../harness/processes.ts";
import { consoleToken, dataOf, query } from "../harness/trpc.ts";

let folder: string;
let issuer: string;
let env: Record<string, string>;
let web: Running;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-guide-"));
  const port = await freePort();
  issuer = `http://localhost:${port}`;
  env = {
    ...{ NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1", GATEHOUSE_ENV_FILE: "off", GATEHOUSE_ISSUER: issuer },
    ...{ GATEHOUSE_DATA_DIR: folder, GATEHOUSE_SECRET: "only-for-tests-0123456789-0123456789-0123456789" },
    ...{ GATEHOUSE_ADMIN_EMAIL: "first-admin@example.com", GATEHOUSE_ADMIN_PASSWORD: "first admin of the tests" },
  };
  await apply({ ...fixture(), webhooks: [] }, folder, env);
  web = await startWeb(env, port);
}, 120_000);
afterAll(async () => {
  await web?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The commands of the guide, in one shell as a reader would type them. The first one starts the server, which runs already. */
async function commandsOf(section: string): Promise<string> {
  const page = await readFile(join(ROOT, "docs/webhooks.md"), "utf8");
  const [, text = ""] = page.split(`\n## ${section}\n`);
  const [guide = ""] = text.split("\n## ");
  const blocks = [...guide.matchAll(/^ *```sh\n(.*?)^ *```$/gms)].map(([, block = ""]) => block.replaceAll(/^ +/gm, ""));
  expect(blocks[0]).toBe("npm start\n");
  return blocks.slice(1).join("");
}

function inShell(commands: string): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const shell = spawn("sh", ["-e", "-c", commands], { cwd: ROOT, env: { ...process.env, ...env } });
    let output = "";
    shell.stdout.on("data", (chunk) => (output += chunk));
    shell.stderr.on("data", (chunk) => (output += chunk));
    shell.once("close", (code) => resolve({ code, output }));
  });
}

type Row = { eventId: string; outcome: string; handlerState: string | null };

test("docs/webhooks.md leads from nothing to a handled event, and a repeat is handled once", async () => {
  const { code, output } = await inShell(await commandsOf("From nothing to a handled event"));
  expect([code, output]).toEqual([0, expect.stringContaining('"received": true')]);

  const token = await consoleToken(issuer, "viewer");
  const list = async () => {
    const { items } = dataOf<{ items: Row[] }>(await query(issuer, "deliveries.list", { limit: 50, provider: "stripe" }, token));
    return items.filter(({ outcome, eventId }) => outcome !== "rejected" && !eventId.startsWith("probe_"));
  };
  let rows = await list();
  while (rows.some(({ handlerState }) => handlerState === "pending")) rows = await list();
  expect(rows.map(({ outcome, handlerState }) => `${outcome} ${handlerState}`).sort()).toEqual([
    "accepted handled",
    "accepted handled",
    "duplicate handled",
  ]);

  const agent = await signIn(issuer, "viewer");
  const page = await agent.open("/subscriptions");
  expect(page.status).toBe(200);
  expect(page.text).toContain("sub_");
}, 120_000);
