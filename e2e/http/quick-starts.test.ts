import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { QuickStartName, QuickStartValues } from "@gatehouse/ui/quick-starts";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { newAgent } from "../harness/agent.ts";
import { emailOf } from "../harness/fixture.ts";
import { obtainCode, obtainTokens, redeem, signIn } from "../harness/flow.ts";
import { apply } from "../harness/gatehouse.ts";
import { json, textOf } from "../harness/http.ts";
import { freePort, type Running, untilReady } from "../harness/processes.ts";
import { newProofKey, proofFor } from "../harness/proof.ts";
import { printed, startQuickStart } from "../harness/quick-starts.ts";

// CO-22: each quick start that needs no browser, run as the console shows it. Those that do are in
// e2e/browser/new-application.spec.ts.

const issuer = inject("issuer");
const secretOf = (name: string) => `only-for-tests-quick-start-${name}-0123456789-0123456789`;
const SCOPES = ["openid", "profile", "email", "offline_access", "api:read"];
const started: Running[] = [];
let folder = "";
let ports: Record<"express" | "python" | "mcp-server", number>;
let mcpServer = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-quick-starts-"));
  ports = { express: await freePort(), python: await freePort(), "mcp-server": await freePort() };
  mcpServer = `http://localhost:${ports["mcp-server"]}/mcp`;
  const web = (name: string, port: number) => ({
    client_id: `quick-start-${name}`,
    type: "web",
    client_secret: secretOf(name),
    redirect_uris: [`http://localhost:${port}/callback`],
    scopes: SCOPES,
  });
  const clients = {
    express: web("express", ports.express),
    python: web("python", ports.python),
    "curl-code": web("curl-code", 4000),
    "curl-service": {
      client_id: "quick-start-curl-service",
      type: "service",
      client_secret: secretOf("curl-service"),
      scopes: ["api:read"],
    },
    cli: { client_id: "quick-start-cli", type: "device", scopes: SCOPES },
    "mcp-server": {
      client_id: "quick-start-mcp-server",
      type: "native",
      redirect_uris: ["http://localhost:6274/oauth/callback"],
      scopes: ["offline_access", "quick-start-mcp:use"],
      resources: [mcpServer],
    },
  };
  const applications = Object.entries(clients).map(([name, client]) => ({
    name: `Quick start ${name}`,
    environments: { development: client },
  }));
  const api = {
    id: mcpServer,
    name: "Quick start MCP",
    scopes: { "quick-start-mcp:use": "use its tools" },
    token_format: "jwt",
  };
  await apply({ resources: [{ ...api, environments: ["development"] }], applications }, folder, inject("env"));
});
afterAll(async () => {
  for (const program of started) await program.stop();
  await rm(folder, { recursive: true, force: true });
});

async function start(name: QuickStartName, change: Partial<QuickStartValues> = {}): Promise<Running> {
  const values = {
    issuer,
    clientId: `quick-start-${name}`,
    redirectUri: null,
    scopes: SCOPES,
    environment: "development",
    confidential: true,
  };
  const program = await startQuickStart(name, { ...values, ...change }, secretOf(name));
  started.push(program);
  return program;
}

const hasPython = spawnSync("python3", ["--version"]).status === 0;

describe.each(["express", "python"] as const)("CO-22 the quick start %s", (name) => {
  const run = name === "python" && !hasPython ? test.skip : test;

  run("signs a user in, and refuses an answer that this browser did not ask for", async () => {
    const origin = `http://localhost:${ports[name]}`;
    await untilReady(origin, await start(name, { redirectUri: `${origin}/callback` }));

    const visitor = newAgent(origin);
    const toGatehouse = await visitor.request("/login");
    const user = await signIn(issuer, "quick-start");
    const asked = new URL(toGatehouse.headers.get("location") ?? "");
    const page = await user.open(asked.pathname + asked.search);
    const answer = page.status === 200 ? await user.post(page, { button: "Allow" }) : page;
    const callback = new URL(answer.headers.get("location") ?? "");
    expect(callback.origin).toBe(origin);

    const stranger = await newAgent(origin).request(callback.pathname + callback.search);
    expect(stranger.text).not.toContain("Signed in");
    const welcome = await visitor.request(callback.pathname + callback.search);
    expect(welcome.text).toContain(`Signed in as ${emailOf("quick-start")}`);
    expect(welcome.text).toContain("api:read");
  });
});

test("CO-22 the quick start cli signs a user in with a device code", async () => {
  const program = await start("cli", { confidential: false });
  const url = new URL(await printed(program, /or open (\S+)/));
  const person = await signIn(issuer, "quick-start");
  await person.submit(await person.open(url.pathname + url.search), { button: "Allow" });
  expect(await printed(program, /Signed in as (\S+)\. Scopes: .*api:read/)).toBe(emailOf("quick-start"));
});

test("CO-22 the quick start curl-code gets tokens for the pasted address", async () => {
  const program = await start("curl-code", { redirectUri: "http://localhost:4000/callback" });
  const asked = new URL(await printed(program, /(http\S+\/authorize\?\S+)\n/));
  const person = await signIn(issuer, "quick-start");
  const page = await person.open(asked.pathname + asked.search);
  const answer = page.status === 200 ? await person.post(page, { button: "Allow" }) : page;
  program.child.stdin?.end(`${answer.headers.get("location")}\n`);
  expect(await printed(program, /"access_token":"(gat_)/)).toBe("gat_");
});

test("CO-22 the quick start curl-service gets a token of its own", async () => {
  expect(await printed(await start("curl-service", { scopes: ["api:read"] }), /"access_token":"(gat_)/)).toBe("gat_");
});

test("CO-22 the quick start mcp-server serves callers with a token for it, and tells others where to get one", async () => {
  const resource = { id: mcpServer, scope: "quick-start-mcp:use" };
  const program = await start("mcp-server", {
    redirectUri: "http://localhost:6274/oauth/callback",
    confidential: false,
    resource,
  });
  const metadata = `http://localhost:${ports["mcp-server"]}/.well-known/oauth-protected-resource/mcp`;
  await untilReady(metadata, program);
  expect(await (await fetch(metadata)).json()).toMatchObject({ resource: mcpServer, authorization_servers: [issuer] });

  const call = (token: string) =>
    fetch(mcpServer, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "greet", arguments: { name: "Ada" } },
      }),
    });
  const refused = await call("made-up");
  expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, expect.stringContaining(metadata)]);

  const client = { client_id: "quick-start-mcp-server", redirect_uris: ["http://localhost:6274/oauth/callback"] };
  const { access } = await obtainTokens(await signIn(issuer, "quick-start"), client, {
    scope: "offline_access quick-start-mcp:use",
    resource: mcpServer,
  });
  const answer = await call(access);
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("Hello Ada")]);

  // RFC 9449 §7.2: bound to a key, so a stolen one must not get in without a proof.
  const obtained = await obtainCode(await signIn(issuer, "quick-start"), client, {
    scope: resource.scope,
    resource: mcpServer,
  });
  const bound = await redeem(
    issuer,
    client,
    obtained,
    {},
    await proofFor(await newProofKey(), "POST", `${issuer}/token`),
  );
  expect(json(bound)["token_type"]).toBe("DPoP");
  expect((await call(textOf(bound, "access_token"))).status).toBe(401);
});
