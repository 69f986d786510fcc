import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { ROOT } from "../harness/gatehouse.ts";
import { send } from "../harness/http.ts";
import { consoleToken, dataOf, mutate } from "../harness/trpc.ts";

const issuer = inject("issuer");

/** The commands of the workflow in the guide, and the names that its `env` defines. */
async function workflow(): Promise<{ put: string; end: string; names: string[] }> {
  const page = await readFile(join(ROOT, "docs/preview-slots.md"), "utf8");
  const [, yaml = ""] = /^```yaml\n(.*?)^```/ms.exec(page) ?? [];
  const [, env = ""] = /^ {4}env:\n((?: {6}.*\n)+)/m.exec(yaml) ?? [];
  const names = [...env.matchAll(/^ {6}(\w+): /gm)].map(([, name = ""]) => name);
  const [put = "", end = "", ...more] = [...yaml.matchAll(/run: \|\n((?: {10}.*\n)+)/g)].map(([, block = ""]) => block);
  expect(more).toEqual([]);
  return { put, end, names };
}

/** Runs the command as a job does, with nothing in its environment but the job's own. */
function inJob(command: string, env: Record<string, string>): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const shell = spawn("sh", ["-e", "-u", "-c", command], { env: { PATH: process.env["PATH"] ?? "", ...env } });
    let output = "";
    shell.stdout.on("data", (chunk) => (output += chunk));
    shell.stderr.on("data", (chunk) => (output += chunk));
    shell.once("close", (code) => resolve({ code, output }));
  });
}

/** A client with preview addresses below this path, and a token for its slots. */
async function clientWithFrame(path: string) {
  const admin = await consoleToken(issuer, "admin");
  const run = `${process.pid}-${path.length}-${Date.now()}`;
  const { id: applicationId } = dataOf<{ id: string }>(
    await mutate(issuer, "applications.create", { name: `Previews ${run}`, description: "" }, admin),
  );
  const draft = {
    applicationId,
    environment: "development",
    type: "browser",
    redirectUris: ["http://localhost:5173/cb"],
  };
  const settings = { grantTypes: ["authorization_code"], scopes: ["api:read"] };
  const registered = await mutate(issuer, "clients.register", { ...draft, ...settings }, admin);
  const { clientId } = dataOf<{ client: { clientId: string } }>(registered).client;
  const frame = { hostPrefix: "", hostSuffix: ".preview.example.com", path };
  dataOf(await mutate(issuer, "previews.setFrame", { clientId, version: 1, frame }, admin));
  const scopes = { name: `CI ${run}`, scopes: ["previews:write"], clientId };
  const { token, id } = dataOf<{ token: string; id: string }>(await mutate(issuer, "apiTokens.create", scopes, admin));
  return { admin, clientId, token, tokenId: id, name: `CI ${run}` };
}

test("PK-22 the command of docs/add-to-a-product.md puts a slot for a branch of Vercel", async () => {
  const { admin, clientId, token, tokenId } = await clientWithFrame("/auth/callback");
  const page = await readFile(join(ROOT, "docs/add-to-a-product.md"), "utf8");
  const [, command = ""] = /^```sh\n(key=.*?)^```/ms.exec(page) ?? [];
  const answer = await inJob(command, {
    GATEHOUSE_ISSUER: issuer,
    GATEHOUSE_CLIENT_ID: clientId,
    PREVIEWS_TOKEN: token,
    VERCEL_GIT_COMMIT_REF: 'fix/"prices"',
    VERCEL_BRANCH_URL: "fix-prices.preview.example.com",
  });
  const slot = { key: "fix--prices-", redirectUri: "https://fix-prices.preview.example.com/auth/callback" };
  expect([answer.code, JSON.parse(answer.output)]).toEqual([0, { result: { data: expect.objectContaining(slot) } }]);
  dataOf(await mutate(issuer, "apiTokens.revoke", { id: tokenId }, admin));
});

test("CO-29 the workflow of docs/preview-slots.md puts, renews and ends a slot", async () => {
  const { admin, clientId, token, tokenId: id, name } = await clientWithFrame("/callback");
  const { put, end, names } = await workflow();
  const redirectUri = "https://pr-7.preview.example.com/callback";
  const env = { ISSUER: issuer, CLIENT_ID: clientId, KEY: "pr-7", REDIRECT_URI: redirectUri, PREVIEWS_TOKEN: token };
  expect(names.sort()).toEqual(Object.keys(env).sort());
  const asked = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: "api:read",
    code_challenge: "a".repeat(43),
    code_challenge_method: "S256",
  });
  const authorize = async () => (await send(issuer, `/authorize?${asked}`)).status;

  expect(await authorize()).toBe(400);
  for (const round of ["put", "renewed"]) {
    const answer = await inJob(put, env);
    expect([round, answer.code, JSON.parse(answer.output)]).toEqual([
      round,
      0,
      {
        result: {
          data: expect.objectContaining({ key: "pr-7", redirectUri, makerName: expect.stringContaining(name) }),
        },
      },
    ]);
  }
  expect(await authorize()).toBe(303);
  const outside = await inJob(put, { ...env, REDIRECT_URI: "https://pr-7.evil.example/callback" });
  expect(outside.code).not.toBe(0);
  expect(outside.output).toContain("must have a host that ends with .preview.example.com");

  expect(await inJob(end, env)).toEqual({ code: 0, output: JSON.stringify({ result: { data: { ended: true } } }) });
  expect(await inJob(end, env)).toEqual({ code: 0, output: JSON.stringify({ result: { data: { ended: false } } }) });
  expect(await authorize()).toBe(400);
  dataOf(await mutate(issuer, "apiTokens.revoke", { id }, admin));
  expect((await inJob(put, env)).code).not.toBe(0);
});
