import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type QuickStartClient,
  type QuickStartName,
  type QuickStartValues,
  quickStartsFor,
} from "@gatehouse/ui/quick-starts";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { type Agent, newAgent } from "../harness/agent.ts";
import { emailOf } from "../harness/fixture.ts";
import { obtainCode, obtainTokens, redeem, signIn } from "../harness/flow.ts";
import { apply } from "../harness/gatehouse.ts";
import { json, textOf } from "../harness/http.ts";
import { freePort, type Running, untilReady } from "../harness/processes.ts";
import { newProofKey, proofFor } from "../harness/proof.ts";
import { printed, startQuickStart } from "../harness/quick-starts.ts";

// CO-22: each quick start that needs no browser, run as the console shows it, with each type of client that it is offered
// for. Those that need one are in e2e/browser/new-application.full.spec.ts.

const TESTED = [
  "express web",
  "python web",
  "curl-code web",
  "curl-code native",
  "curl-service service",
  "curl-service web",
  "cli device",
  "cli native",
  "mcp-server native",
];
const IN_BROWSER = ["nextjs web", "react browser"];

const issuer = inject("issuer");
const secretOf = (pair: string) => `only-for-tests-quick-start-${pair.replace(" ", "-")}-0123456789-0123456789`;
const SCOPES = ["openid", "profile", "email", "offline_access", "api:read"];
const SHOWN = "openid profile email";
const CODE = ["authorization_code", "refresh_token"];
const DEVICE_CODE = "urn:ietf:params:oauth:grant-type:device_code";
const started: Running[] = [];
let folder = "";
let ports: Record<"express" | "python" | "mcp-server", number>;
let mcpServer = "";
let clients: Record<string, QuickStartClient>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-quick-starts-"));
  ports = { express: await freePort(), python: await freePort(), "mcp-server": await freePort() };
  mcpServer = `http://localhost:${ports["mcp-server"]}/mcp`;
  const client = (type: QuickStartClient["type"], change: Partial<QuickStartClient> = {}) => ({
    environment: "development",
    type,
    grantTypes: CODE,
    redirectUris: [],
    postLogoutRedirectUris: [],
    scopes: SCOPES,
    options: {},
    ...change,
  });
  const python = `http://localhost:${ports.python}`;
  const registered = {
    // At a path of its own, and back to another one
    "express web": client("web", {
      redirectUris: [`http://127.0.0.1:${ports.express}/signed/in/callback`],
      postLogoutRedirectUris: [`http://127.0.0.1:${ports.express}/goodbye`],
    }),
    // At its first page, and nowhere after sign-out
    "python web": client("web", { redirectUris: ["https://shop.example/callback", `${python}/`] }),
    "curl-code web": client("web", { redirectUris: ["http://localhost:4000/callback"] }),
    "curl-code native": client("native", {
      redirectUris: ["com.example.shop:/callback"],
      scopes: ["offline_access", "api:read"],
    }),
    "curl-service service": client("service", { grantTypes: ["client_credentials"], scopes: ["api:read"] }),
    "curl-service web": client("web", {
      grantTypes: [...CODE, "client_credentials"],
      redirectUris: ["http://localhost:4000/callback"],
    }),
    "cli device": client("device", { grantTypes: [DEVICE_CODE, "refresh_token"] }),
    "cli native": client("native", {
      grantTypes: [...CODE, DEVICE_CODE],
      redirectUris: ["com.example.shop:/callback"],
      scopes: ["api:read"],
    }),
    "mcp-server native": client("native", {
      redirectUris: ["http://localhost:6274/oauth/callback"],
      scopes: ["offline_access", "quick-start-mcp:use"],
      options: { resources: [mcpServer] },
    }),
  };
  const idOf = (name: string) => `quick-start-${name.replace(" ", "-")}`;
  clients = Object.fromEntries(
    Object.entries(registered).map(([name, one]) => [name, { ...one, clientId: idOf(name) }]),
  );
  const applications = Object.entries(registered).map(([name, { type, ...one }]) => ({
    name: `Quick start ${name}`,
    environments: {
      development: {
        client_id: idOf(name),
        type,
        ...(type === "web" || type === "service" ? { client_secret: secretOf(name) } : {}),
        grant_types: one.grantTypes,
        redirect_uris: one.redirectUris,
        post_logout_redirect_uris: one.postLogoutRedirectUris,
        scopes: one.scopes,
        ...one.options,
        ...(name === "express web" && {
          backchannel_logout_uri: `http://127.0.0.1:${ports.express}/signed/in/backchannel-logout`,
        }),
      },
    },
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

/** `pair`: the quick start and the type of the client. */
async function start(pair: string, resource?: QuickStartValues["resource"]): Promise<Running> {
  const [client, name] = [clients[pair], pair.split(" ")[0] as QuickStartName];
  if (client === undefined || !quickStartsFor(client).includes(name)) throw new Error(`${pair} is not offered`);
  const program = await startQuickStart(name, client, { issuer, resource }, secretOf(pair));
  started.push(program);
  return program;
}

test("CO-22 each quick start runs with each type of client that it is offered for", () => {
  const grantTypes = [...CODE, "client_credentials", DEVICE_CODE];
  const options = { resources: ["http://localhost:4100/mcp"] };
  const none = { clientId: "", environment: "development", redirectUris: [], postLogoutRedirectUris: [] };
  const offered = (["web", "browser", "native", "service", "device"] as const).flatMap((type) =>
    quickStartsFor({ ...none, type, grantTypes, scopes: SCOPES, options }).map((name) => `${name} ${type}`),
  );
  expect(offered.toSorted()).toEqual([...TESTED, ...IN_BROWSER].toSorted());
});

const hasPython = spawnSync("python3", ["--version"]).status === 0;

/** Leaves a program for Gatehouse, allows its request there, and returns the way back to it. */
async function allow(user: Agent, location: string | null): Promise<URL> {
  const asked = new URL(location ?? "");
  const page = await user.open(asked.pathname + asked.search);
  const answer = page.status === 200 ? await user.post(page, { button: "Allow" }) : page;
  return new URL(answer.headers.get("location") ?? "");
}

/** Where each program sends a visitor to sign in, shows who is signed in, and receives answers. */
const PROGRAMS = {
  express: {
    signIn: "/account",
    account: "/account",
    callback: "/signed/in/callback",
    scope: `${SHOWN} offline_access`,
  },
  python: { signIn: "/login", account: "/", callback: "/", scope: SHOWN },
};

describe.each(["express", "python"] as const)("CO-22 the quick start %s", (name) => {
  const run = name === "python" && !hasPython ? test.skip : test;
  const program = PROGRAMS[name];
  const originOf = () =>
    name === "express" ? `http://127.0.0.1:${ports.express}` : `http://localhost:${ports.python}`;
  /** The request for a sign-in that the program makes of Gatehouse. */
  const leave = async (visitor: Agent) => (await visitor.open(program.signIn)).headers.get("location") ?? "";

  run("PK-15 signs a user in and out, and notices when the session ended at Gatehouse", async () => {
    const origin = originOf();
    await untilReady(origin, await start(`${name} web`));

    const visitor = newAgent(origin);
    let user = await signIn(issuer, "quick-start");
    const signInHere = async () => {
      const leaving = await leave(visitor);
      expect(new URL(leaving).searchParams.get("scope")).toBe(program.scope);
      const callback = await allow(user, leaving);
      expect(callback.origin).toBe(origin);
      return callback.pathname + callback.search;
    };
    const callback = await signInHere();
    expect((await newAgent(origin).open(callback)).text).not.toContain("Signed in");
    expect((await visitor.open(callback)).text).toContain(`Signed in as ${emailOf("quick-start")}`);

    await user.submit(await user.open("/account"), { button: "Sign out" });
    await vi.waitFor(
      async () => expect((await visitor.open(program.account)).text).not.toContain("Signed in as"),
      15_000,
    );
    if (name === "python") expect((await visitor.request("/")).text).toContain("You are not signed in");

    user = await signIn(issuer, "quick-start");
    const page = await visitor.open(await signInHere());
    expect(page.text).toContain("Signed in as");
    const goodbye = await visitor.post(page, { button: "Sign out" });
    expect((await visitor.open(program.account)).text).not.toContain("Signed in as");
    if (name === "python") {
      expect(goodbye.text).toContain("signed out of this app, but not of Gatehouse");
      return;
    }
    const leaving = new URL(goodbye.headers.get("location") ?? "");
    const back = await user.request(leaving.pathname + leaving.search);
    expect(back.headers.get("location")).toBe(`${origin}/goodbye`);
    expect((await user.open("/account")).url).toContain("/sign-in");
  });

  run("shows why a sign-in did not happen, and offers another", async () => {
    const visitor = newAgent(originOf());
    const asked = new URL(await leave(visitor));
    const query = new URLSearchParams({
      error: "access_denied",
      iss: issuer,
      state: asked.searchParams.get("state") ?? "",
    });
    const refused = await visitor.request(`${program.callback}?${query}`);
    const [reason, again] =
      name === "express"
        ? ["You didn’t allow this app to sign you in", 'href="/signed/in/sign-in']
        : ["Not signed in: access_denied", 'href="/login"'];
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining(reason)]);
    expect(refused.text).toContain(again);
  });
});

// At the same time, because each waits for five seconds before it asks again.
test.concurrent.each([
  ["device", /Signed in as (\S+)\. Scopes: openid profile email\n/, emailOf("quick-start")],
  ["native", /Allowed\. Scopes: (\S+)\n/, "api:read"],
])("CO-22 the quick start cli gets a %s client tokens with a device code", async (type, pattern, shown) => {
  const program = await start(`cli ${type}`);
  const url = new URL(await printed(program, /or open (\S+)/));
  const person = await signIn(issuer, "quick-start");
  await person.submit(await person.open(url.pathname + url.search), { button: "Allow" });
  expect(await printed(program, pattern)).toBe(shown);
});

test.each([
  ["web", /"email":"([^"]+)"/, emailOf("quick-start")],
  ["native", /"access_token":"(gat_)/, "gat_"],
])("CO-22 the quick start curl-code gets a %s client tokens for the pasted address", async (type, pattern, shown) => {
  const program = await start(`curl-code ${type}`);
  const asked = await printed(program, /(http\S+\/authorize\?\S+)\n/);
  program.child.stdin?.end(`${await allow(await signIn(issuer, "quick-start"), asked)}\n`);
  expect(await printed(program, pattern)).toBe(shown);
});

test.each(["service", "web"])(
  "CO-22 the quick start curl-service gets a %s client a token of its own",
  async (type) => {
    expect(await printed(await start(`curl-service ${type}`), /"access_token":"(gat_)/)).toBe("gat_");
  },
);

test("CO-22 the quick start mcp-server serves callers with a token for it, and tells others where to get one", async () => {
  const resource = { id: mcpServer, scope: "quick-start-mcp:use" };
  const program = await start("mcp-server native", resource);
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

  const client = {
    client_id: "quick-start-mcp-server-native",
    redirect_uris: ["http://localhost:6274/oauth/callback"],
  };
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
