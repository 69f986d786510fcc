import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { ROOT } from "../harness/gatehouse.ts";
import { send } from "../harness/http.ts";
import { consoleToken, dataOf, mutate, query } from "../harness/trpc.ts";

const issuer = inject("issuer");

/** The commands of the guide, as a reader would type them. */
async function commands(): Promise<string[]> {
  const page = await readFile(join(ROOT, "docs/api-tokens.md"), "utf8");
  return [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = ""]) => block);
}

function inShell(
  command: string,
  env: Record<string, string>,
  cwd = ROOT,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const shell = spawn("sh", ["-e", "-c", command], { env: { ...process.env, ...env }, cwd });
    let output = "";
    shell.stdout.on("data", (chunk) => (output += chunk));
    shell.stderr.on("data", (chunk) => (output += chunk));
    shell.once("close", (code) => resolve({ code, output }));
  });
}

test("CO-70 the commands of docs/api-tokens.md work, no other endpoint accepts the token, and revoking it ends it", async () => {
  const admin = await consoleToken(issuer, "admin");
  const draft = { name: `Guide ${process.pid} ${Date.now()}`, scopes: ["audit:read"], environments: ["production"] };
  const { token, id } = dataOf<{ token: string; id: string }>(await mutate(issuer, "apiTokens.create", draft, admin));

  const [list = "", startExport = ""] = await commands();
  const listed = await inShell(list, { issuer, token });
  expect([listed.code, JSON.parse(listed.output)]).toEqual([
    0,
    { result: { data: expect.objectContaining({ items: expect.any(Array) }) } },
  ]);
  const started = await inShell(startExport, { issuer, token });
  expect([started.code, JSON.parse(started.output)]).toEqual([0, { result: { data: { ticket: expect.any(String) } } }]);

  const headers = { authorization: `Bearer ${token}` };
  expect((await send(issuer, "/api/resource", { headers })).status).toBe(401);
  expect((await send(issuer, "/userinfo", { headers })).status).toBe(401);
  expect((await query(issuer, "users.list", {}, token)).status).toBe(403);

  expect((await mutate(issuer, "apiTokens.revoke", { id }, admin)).status).toBe(200);
  expect((await query(issuer, "audit.list", { environment: "production" }, token)).status).toBe(401);
});

/** The command line of this repository, where a product has that of the published package. */
const withCommandLine = (command: string) => command.replaceAll("npx gatehouse", `node ${ROOT}/scripts/gatehouse.mjs`);

test("CO-70 CO-72 PK-22 the commands of docs/api-tokens.md plan and apply a product's file", async () => {
  const admin = await consoleToken(issuer, "admin");
  const name = `Guide apply ${process.pid} ${Date.now()}`;
  const draft = { name, scopes: ["config:plan", "config:apply"], firstPartyOrigins: ["https://shop.example"] };
  const { token, id } = dataOf<{ token: string; id: string }>(await mutate(issuer, "apiTokens.create", draft, admin));

  const folder = await mkdtemp(join(tmpdir(), "gatehouse-apply-"));
  const client = {
    type: "web",
    first_party: true,
    redirect_uris: ["https://shop.example/auth/callback"],
    scopes: ["openid", "profile"],
  };
  const development = { type: "service", scopes: ["api:read"] };
  const file = { applications: [{ name, environments: { development, production: client } }] };
  await writeFile(join(folder, "gatehouse.json"), JSON.stringify(file));
  const [, , plan = "", apply = "", ...more] = await commands();
  expect(more).toEqual([]);
  const env = { issuer, GATEHOUSE_API_TOKEN: token, INIT_CWD: folder };
  const planned = await inShell(withCommandLine(plan), env, folder);
  expect([planned.code, planned.output]).toEqual([0, ""]);
  const applied = await inShell(withCommandLine(apply), env, folder);
  expect([applied.code, applied.output]).toEqual([0, ""]);
  const variables = {
    GATEHOUSE_ISSUER: issuer,
    GATEHOUSE_CLIENT_ID: expect.any(String),
    GATEHOUSE_CLIENT_SECRET: expect.any(String),
    GATEHOUSE_APP_URL: "https://shop.example",
  };
  expect(JSON.parse(await readFile(join(folder, "applied.json"), "utf8"))).toEqual({
    changed: true,
    clients: [{ name: `${name} (production)`, variables }],
    secrets: [],
  });
  await rm(folder, { recursive: true });
  expect((await mutate(issuer, "apiTokens.revoke", { id }, admin)).status).toBe(200);
});
