import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Agent, newAgent, type Page } from "../harness/agent.ts";
import { CLIENTS, MAIL } from "../harness/fixture.ts";
import { obtainCode, redeem, signIn } from "../harness/flow.ts";
import { type HeaderFields, textOf } from "../harness/http.ts";
import type { NextProduct, StartedProduct } from "../harness/next-product.ts";
import { newBrowser } from "../harness/sdk-browser.ts";
import { expectAcrossExpiry } from "../harness/sdk-expiry.ts";
import type { Running } from "./next-stories.ts";
import { createUser } from "./people.ts";
import { NAVIGATION, ROUTER, SCRIPT, signInToProduct } from "./products.ts";
import { expect, issuer } from "./stage.ts";

/** Next first redirects its router to the URL with the hash of these headers, which the router has at once. */
async function asRouter(agent: Agent, path: string, headers: HeaderFields): Promise<Page> {
  const answer = await agent.request(path, { headers });
  const location = answer.headers.get("location");
  return answer.status === 307 && location !== null ? agent.request(location, { headers }) : answer;
}

/**
 * Attacks on a Next product, over HTTP where that is enough. `second` is another process of it; `bare` runs the same
 * build without most of its proxy, and is an API as well.
 */
export type NextStage = { running: Running; second: StartedProduct; bare: Running; built: NextProduct };

const visitorOf = ({ running }: NextStage) => newAgent(running.product.url);

async function userOf({ running }: NextStage, name: string): Promise<Agent> {
  const full = `${running.setup.clientId}-${name}`;
  await createUser(full);
  return signInToProduct(running.product.url, full);
}

export async function callersWithoutSession(stage: NextStage): Promise<void> {
  const agent = visitorOf(stage);
  const signIn = /\/auth\/sign-in\?return_to=%2Fguarded$/;
  for (const headers of [NAVIGATION, ROUTER, { ...ROUTER, "next-router-prefetch": "1" }]) {
    const refused = await agent.request("/guarded", { headers });
    expect(refused.status).toBe(303);
    expect(refused.headers.get("location")).toMatch(signIn);
    expect(refused.headers.get("cache-control")).toBe("private, no-store");
    if (headers === NAVIGATION) continue;
    const followed = await asRouter(agent, "/auth/sign-in?return_to=%2Fguarded", headers);
    expect([followed.status, followed.text, followed.setCookies]).toEqual([204, "", []]);
  }
  for (const [path, method] of [
    ["/guarded", "GET"],
    ["/guarded", "POST"],
    ["/api/me", "GET"],
    ["/api/me", "POST"],
    ["/api/bare", "GET"],
  ] as const) {
    const refused = await agent.request(path, { headers: SCRIPT, method });
    expect([path, refused.status, refused.headers.get("location")]).toEqual([path, 401, null]);
    expect(JSON.parse(refused.text)).toMatchObject({ error: "unauthenticated" });
  }
  expect((await agent.request("/api/webhooks/stripe", { method: "POST", headers: { accept: "*/*" } })).status).toBe(
    200,
  );
}

export async function pagesWithoutProxy(stage: NextStage): Promise<void> {
  const open = stage.bare.product;
  const agent = newAgent(open.url);
  const page = await agent.request("/scoped", { headers: NAVIGATION });
  expect(page.text).toContain("/auth/sign-in?return_to=");
  expect(page.text).not.toContain("Only for");
  expect((await agent.request("/api/upstream", { headers: SCRIPT })).status).toBe(401);
  expect((await agent.request("/api/upstream", { headers: NAVIGATION })).status).toBe(401);
  expect((await agent.request("/api/bare", { headers: SCRIPT })).status).toBe(401);

  const name = `${stage.running.setup.clientId}-bare`;
  const email = await createUser(name);
  const signedIn = await signInToProduct(open.url, name);
  expect(JSON.parse((await signedIn.request("/api/bare", { headers: SCRIPT })).text)).toEqual({ email });
  expect(JSON.parse((await signedIn.request("/api/upstream", { headers: SCRIPT })).text)).toMatchObject({ email });
  expect((await signedIn.request("/recent", { headers: NAVIGATION })).text).toContain("Only for");
  const forbidden = await signedIn.request("/scoped", { headers: NAVIGATION });
  expect(forbidden.text).not.toContain("Only for");
  expect(
    (await signedIn.request("/api/me", { headers: { ...SCRIPT, "sec-fetch-site": "cross-site" }, method: "POST" }))
      .status,
  ).toBe(403);
}

export async function tokensAtHandlers(stage: NextStage): Promise<void> {
  const { url } = stage.bare.product;
  const name = `${stage.running.setup.clientId}-token`;
  const email = await createUser(name);
  const signedIn = await signInToProduct(url, name);
  const { shopper } = CLIENTS;
  const code = await obtainCode(await signIn(issuer, name), shopper, { scope: "openid mail:send", resource: MAIL.id });
  const token = textOf(await redeem(issuer, shopper, code, { resource: MAIL.id }), "access_token");
  const ask = async (agent: Agent, headers: HeaderFields, method = "GET") => {
    const answer = await agent.request("/api/stock", { headers, method });
    return { ...answer, body: JSON.parse(answer.text) };
  };

  const stranger = newAgent(url);
  const refused = await ask(stranger, SCRIPT);
  expect([refused.status, refused.body.error]).toEqual([401, "unauthenticated"]);
  const metadata = new URL("/.well-known/oauth-protected-resource", MAIL.id);
  expect(refused.headers.get("www-authenticate")).toContain(`resource_metadata="${metadata.origin}`);
  const authorization = `Bearer ${token}`;
  expect((await ask(stranger, { authorization })).body).toEqual({ via: "token", email: null });
  expect((await ask(stranger, { authorization }, "POST")).body).toEqual({ via: "token", email: null });
  expect((await ask(signedIn, SCRIPT)).body).toEqual({ via: "session", email });
  expect((await ask(signedIn, { ...SCRIPT, authorization: `${authorization}x` })).body.error).toBe("invalid_token");
  expect((await ask(signedIn, { ...SCRIPT, "sec-fetch-site": "cross-site" }, "POST")).status).toBe(403);
  const described = await stranger.request(metadata.pathname + new URL(MAIL.id).pathname.replace(/\/$/, ""));
  expect(JSON.parse(described.text)).toMatchObject({ resource: MAIL.id });
}

/** What Next lets a handler answer that calls `protect` as a page does, beside one that `protect` wraps. */
export async function refusalsOfHandlers({ running, bare }: NextStage): Promise<void> {
  const { product, setup } = bare;
  const asked = await newAgent(product.url).request("/api/bare", { headers: SCRIPT });
  expect([asked.status, asked.text, asked.headers.get("location")]).toEqual([401, "", null]);

  const name = `${running.setup.clientId}-down`;
  await createUser(name);
  const agent = await signInToProduct(product.url, name);
  await setup.relay.down();
  await setup.setClock(301); // past the life of the access token
  try {
    const wrapped = await agent.request("/live", { headers: SCRIPT });
    expect([wrapped.status, JSON.parse(wrapped.text).error]).toEqual([503, "unavailable"]);
    const cookie = [...agent.cookies].map((pair) => pair.join("=")).join("; ");
    const thrown = await fetch(`${product.url}/api/bare`, { headers: { ...SCRIPT, cookie }, redirect: "manual" });
    expect([thrown.status, await thrown.text()]).toEqual([500, ""]);
  } finally {
    await setup.relay.up();
    await setup.setClock(0);
  }
  expect((await agent.request("/api/bare", { headers: SCRIPT })).status).toBe(200);
}

/** N81, one round of it. */
export async function acrossExpiry({ running, second }: NextStage): Promise<void> {
  const { setup, product } = running;
  const name = `${setup.clientId}-expiry`;
  await createUser(name);
  const origins = [product.url, second.url];
  const browser = await newBrowser(issuer, origins, name);
  await browser.signIn();
  try {
    // Tokens live five minutes, and are renewed in the last tenth.
    await expectAcrossExpiry({ ...setup, origins }, browser, { rounds: 1, stepSeconds: 280 });
  } finally {
    await setup.setClock(0);
  }
}

export async function forgedHeaders(stage: NextStage): Promise<void> {
  const headers = {
    ...NAVIGATION,
    "x-middleware-subrequest": "proxy:proxy:proxy:proxy:proxy",
    "x-middleware-next": "1",
    "x-gatehouse-page": "guess /evil",
    "x-gatehouse-user": "ada",
    "x-forwarded-host": "evil.example",
    "x-forwarded-proto": "https",
  };
  for (const host of [undefined, "evil.example"]) {
    const refused = await visitorOf(stage).request("/guarded", { headers: { ...headers, host } });
    expect(refused.status).toBe(303);
    expect(refused.headers.get("location")).not.toContain("evil");
  }
  const { location } = Object.fromEntries(
    (await visitorOf(stage).request("/auth/sign-in", { headers: { ...headers, host: "evil.example" } })).headers,
  );
  expect(new URL(location ?? "").searchParams.get("redirect_uri")).toBe(`${stage.running.product.url}/auth/callback`);
}

export async function otherSpellings(stage: NextStage): Promise<void> {
  const buildId = (await readFile(join(stage.built.folder, ".next/BUILD_ID"), "utf8")).trim();
  const paths = [
    "/guarded.rsc",
    "/guarded.txt",
    "/guarded.segments/_tree.segment.rsc",
    "/guarded.segments/guarded/__PAGE__.segment.rsc",
    "/guarded.prefetch.rsc",
    `/_next/data/${buildId}/guarded.json`,
    `/_next/data/${buildId}/menu.json?nxtPpath=guarded`,
    "/guarded?nxtPpath=menu",
    "/guarded?_rsc=abc",
    "/guarded/",
    "//guarded",
    "/guarded%2f",
    "/%67uarded",
    "/GUARDED",
    "/guarded%00",
    "/menu/..%2fguarded",
    "/menu/../guarded",
    "/menu%2f..%2fguarded",
    "/./guarded",
    "/guarded;x=1",
    "/guarded%3Fa",
    "/index/guarded",
  ];
  for (const path of paths) {
    for (const headers of [
      NAVIGATION,
      { ...ROUTER, "next-router-prefetch": "1", "next-router-segment-prefetch": "/_tree" },
      ROUTER,
    ]) {
      const refused = await visitorOf(stage).request(path, { headers });
      expect([
        path,
        refused.status < 500,
        refused.text.includes("Members only"),
        refused.text.includes("Only for"),
      ]).toEqual([path, true, false, false]);
    }
  }
}

export async function foreignAction(stage: NextStage): Promise<void> {
  const manifest = JSON.parse(
    await readFile(join(stage.built.folder, ".next/server/server-reference-manifest.json"), "utf8"),
  );
  const ids = Object.keys(manifest.node);
  expect(ids.length).toBeGreaterThan(0);
  for (const id of ids) {
    const headers = {
      ...SCRIPT,
      accept: "text/x-component",
      "next-action": id,
      "content-type": "text/plain;charset=UTF-8",
      origin: stage.running.product.url,
    };
    const refused = await visitorOf(stage).request("/menu", { method: "POST", headers, body: "[]" });
    expect(refused.headers.get("location")).toBeNull();
    expect(refused.headers.get("x-action-redirect")).toMatch(/^\/auth\/sign-in\?/);
    expect(refused.text).not.toContain("You are");
  }
}

export async function badInput(stage: NextStage): Promise<void> {
  const agent = await userOf(stage, "bad-input");
  for (const path of ["https://evil.example", "//evil.example", "/%5cevil", "/auth/sign-out", `/${"a".repeat(5000)}`]) {
    const begun = await visitorOf(stage).request(`/auth/sign-in?return_to=${encodeURIComponent(path)}`, {
      headers: NAVIGATION,
    });
    expect(begun.status).toBe(303); // where it returns to is sealed: packages/sdk/src/handlers/sign-in.test.ts
  }
  expect((await agent.request("/auth/sign-out", { headers: NAVIGATION })).status).toBe(405);
  expect((await asRouter(agent, "/auth/sign-out", ROUTER)).status).toBe(405);
  for (const site of ["cross-site", "same-site", "none"])
    expect(
      (await agent.request("/auth/sign-out", { method: "POST", headers: { ...NAVIGATION, "sec-fetch-site": site } }))
        .status,
    ).toBe(403);
  expect((await agent.request("/api/me", { headers: SCRIPT })).status).toBe(200);

  const stranger = visitorOf(stage);
  const forged = await stranger.request("/auth/callback?code=a&state=b&error=%3Cscript%3E", { headers: NAVIGATION });
  expect(forged.status).toBe(400);
  expect(forged.text).not.toContain("<script");
  expect((await stranger.request("/api/me", { headers: SCRIPT })).status).toBe(401);

  const [name = "", value = ""] = [...agent.cookies].find(([one]) => one.endsWith("_session")) ?? [];
  const flipped = `${value.slice(0, 100)}${value[100] === "A" ? "B" : "A"}${value.slice(101)}`;
  const chunks = Array.from({ length: 100 }, (_, i) => `${name}.${i}=${value}`)
    .join("; ")
    .slice(0, 12_000);
  for (const cookie of [`${name}=${flipped}`, `${name}=`, `${name}=${value}x`, `${name}_x=${value}`, chunks]) {
    const refused = await visitorOf(stage).request("/api/me", { headers: { ...SCRIPT, cookie } });
    expect(refused.status).toBe(401);
  }
}

export async function cachedPages(stage: NextStage): Promise<void> {
  const [ada, bob] = [await userOf(stage, "cached-a"), await userOf(stage, "cached-b")];
  const before = await ada.request("/", { headers: NAVIGATION });
  expect(before.headers.get("cache-control")).toContain("s-maxage"); // Next's own
  await stage.running.setup.setClock(280);
  try {
    const renewed = await ada.request("/", { headers: NAVIGATION });
    expect(renewed.setCookies).toHaveLength(1);
    expect(renewed.headers.get("cache-control")).toBe("private, no-store");
    const cache = new Map<string, string>();
    for (const agent of [bob, ada, bob]) {
      for (const path of ["/", "/menu", "/guarded", "/auth/session", "/api/me"]) {
        const answer = await agent.request(path, { headers: NAVIGATION });
        const isShared = /s-maxage|public/.test(answer.headers.get("cache-control") ?? "");
        if (isShared) cache.set(path, answer.text + answer.setCookies.join());
      }
    }
    for (const kept of cache.values()) expect(kept).not.toMatch(/@example\.com|gatehouse_/);
  } finally {
    await stage.running.setup.setClock(0);
  }
}

export async function signedOutElsewhere(stage: NextStage): Promise<void> {
  const name = `${stage.running.setup.clientId}-elsewhere`;
  await createUser(name);
  const server = await signIn(issuer, name);
  const agent = await signInToProduct(stage.running.product.url, name, server);
  expect((await agent.request("/api/me", { headers: SCRIPT })).status).toBe(200);
  await server.submit(await server.open("/logout"), { button: "Sign out" });
  await stage.running.setup.setClock(11);
  try {
    expect((await agent.request("/api/me", { headers: SCRIPT })).status).toBe(401);
  } finally {
    await stage.running.setup.setClock(0);
  }
}

export async function scriptsOfBrowser(stage: NextStage): Promise<void> {
  const scripts = join(stage.built.folder, ".next/static");
  const files = (await readdir(scripts, { recursive: true })).filter((file) => file.endsWith(".js"));
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) {
    const text = await readFile(join(scripts, file), "utf8");
    for (const secret of ["GATEHOUSE_", "A256GCM", "oauth4webapi", "JWEDecryptionFailed", "only-for-tests"])
      expect(text.includes(secret), `${file} has ${secret}`).toBe(false);
  }
}
