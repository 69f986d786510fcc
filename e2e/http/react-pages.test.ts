import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "node-html-parser";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import type { Agent } from "../harness/agent.ts";
import { fixture } from "../harness/fixture.ts";
import { signIn } from "../harness/flow.ts";
import { apply, type Mount, startWeb } from "../harness/gatehouse.ts";
import { type Answer, type HeaderFields, json, send } from "../harness/http.ts";
import { freePort, type Running } from "../harness/processes.ts";
import { buildWebWithPages, MEMBERS_ONLY, removeWebWithPages } from "../harness/web-with-pages.ts";

// Pages that Next renders, on both mounts: the guard protects them like every other route.

let folder: string;
beforeAll(async () => {
  folder = await buildWebWithPages();
}, 900_000);
afterAll(() => removeWebWithPages());

/** The same page as Next's router requests it: a navigation, a prefetch, a prefetch of one segment. */
const RSC: [string, HeaderFields][] = [
  ["a navigation", { rsc: "1" }],
  ["a prefetch", { rsc: "1", "next-router-prefetch": "1" }],
  ["a prefetch of the tree", { rsc: "1", "next-router-prefetch": "1", "next-router-segment-prefetch": "/_tree" }],
  ["a prefetch of the page", { rsc: "1", "next-router-prefetch": "1", "next-router-segment-prefetch": "/for-members/__PAGE__" }],
];

/** Every known way to write the page's address, or to reach it by another. */
const SPELLINGS = [
  "/for-members/",
  "//for-members",
  "/FOR-MEMBERS",
  "/%66or-members",
  "/for-members%2F",
  "/./for-members",
  "/sign-in/../for-members",
  "/sign-in/%2e%2e/for-members",
  "/for-members?_rsc=1a2b3",
  "/for-members?nxtPid=7",
  "/for-members.rsc",
  "/for-members.rsc?_rsc=1a2b3",
  "/for-members.prefetch.rsc",
  "/for-members.segments/_tree.segment.rsc",
  "/for-members.segments/for-members/__PAGE__.segment.rsc",
  "/for-members.html",
  "/for-members.txt",
  "/for-members.json",
  "/for-members/index",
  "/for-members/7",
  "/for-members/7/",
  "/for-members/%37",
  "/for-members/7%2Fitems",
  "/for-members/OPEN",
  "/for-members/%6fpen",
  "/for-members/open%2F7",
  "/for-members/[id]",
  "/_next/static/../../for-members",
  "/_next/static/..%2f..%2ffor-members",
  "/_next/static/%2e%2e/%2e%2e/for-members",
  "/_next/../for-members",
  "/_next/data/build/for-members.json",
  "/_next/image?url=%2Ffor-members&w=64&q=75",
  "/favicon.ico/../for-members",
  "http://evil.test/for-members",
];

const CHAIN = (name: string) => Array(5).fill(name).join(":");

/** Internal headers of Next, and of servers in front of it. */
const HEADERS: HeaderFields[] = [
  { "x-middleware-subrequest": CHAIN("middleware") },
  { "x-middleware-subrequest": CHAIN("src/middleware") },
  { "x-middleware-subrequest": CHAIN("proxy") },
  { "x-middleware-next": "1" },
  { "x-middleware-rewrite": "/for-members" },
  { "x-middleware-skip": "1" },
  { "x-middleware-override-headers": "cookie", "x-middleware-request-cookie": "gatehouse_session=gse_x" },
  { "x-middleware-set-cookie": "gatehouse_session=gse_x" },
  { "x-nextjs-data": "1" },
  { "x-matched-path": "/for-members" },
  { "x-invoke-path": "/for-members", "x-invoke-output": "/for-members", "x-invoke-status": "200" },
  { "x-now-route-matches": "1=for-members" },
  { "x-next-resume-state-length": "1" },
  { "next-resume": "1" },
  { "next-action": "0".repeat(40) },
  { "x-original-url": "/for-members", "x-rewrite-url": "/for-members" },
  { "x-forwarded-host": "localhost", forwarded: "host=localhost" },
  { "x-gatehouse-session": "ada", "x-gatehouse-user": "ada", authorization: "Bearer gse_x" },
  { cookie: "gatehouse_session=gse_x" },
  { purpose: "prefetch", "sec-purpose": "prefetch" },
];

describe.each<Mount>(["own", "next"])("React pages served by %s", (mount) => {
  let data: string;
  let issuer: string;
  let server: Running;
  let member: Agent;

  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), "gatehouse-pages-"));
    const port = await freePort();
    issuer = `http://localhost:${port}`;
    const own = { GATEHOUSE_ISSUER: issuer, GATEHOUSE_DATA_DIR: data, DATABASE_URL: `file:${join(data, "gatehouse.db")}` };
    const env = { ...inject("env"), ...own };
    await apply(fixture(), data, env);
    server = await startWeb(env, port, mount, folder);
    member = await signIn(issuer, "bearer");
  });
  afterAll(async () => {
    await server.stop();
    await rm(data, { recursive: true, force: true });
  });

  const get = (path: string, headers: HeaderFields = {}) => send(issuer, path, { headers: { accept: "text/html", ...headers } });

  test("D9 a public page is rendered for everyone, and knows the signed-in user", async () => {
    const [stranger, known] = [await get("/for-anybody"), await member.request("/for-anybody")];
    expect([stranger.status, known.status]).toEqual([200, 200]);
    expect(words(stranger)).toContain("Anybody can read this: nobody");
    expect(words(known)).toContain("Anybody can read this: bearer@");
    expect((await get("/for-members/open")).status).toBe(200);
  });

  test.each(["/for-members", "/for-members/7", "/for-members/7?a=b%20c"])(
    "D9 %s redirects to the sign-in page and back without a session",
    async (path) => {
      const answer = await get(path);
      expect([answer.status, answer.headers.get("location")]).toEqual([303, `/sign-in?${new URLSearchParams({ next: path })}`]);
      expect(answer.text).not.toContain(MEMBERS_ONLY);
      expectHeadersOfAPage(answer);
    },
  );

  test("D9 a page that requires a session answers 401 in JSON without one", async () => {
    const answer = await get("/for-programs");
    expect([answer.status, json(answer)["error"]]).toEqual([401, "unauthenticated"]);
  });

  test.each(["/for-members", "/for-members/7", "/for-programs"])(
    "D9 %s is rendered for a signed-in user, and is not cacheable",
    async (path) => {
      const answer = await member.request(path);
      expect(answer.status).toBe(200);
      expect(words(answer)).toContain(`${MEMBERS_ONLY}: bearer@`);
      expectHeadersOfAPage(answer);
    },
  );

  test.each(["/for-anybody", "/for-members"])("SE-10 every script and style of %s has the nonce of its policy", async (path) => {
    const [one, other] = [await member.request(path), await member.request(path)];
    const nonce = nonceOf(one);
    expect(nonce).not.toBe(nonceOf(other));
    const scripts = parse(one.text).querySelectorAll("script, style");
    expect(scripts.length).toBeGreaterThan(0);
    for (const script of scripts) expect(script.getAttribute("nonce")).toBe(nonce);
    const sources = scripts.flatMap((script) => script.getAttribute("src") ?? []);
    expect(sources.length).toBeGreaterThan(0);
    for (const source of sources) expect((await get(source)).status).toBe(200);
  });

  test("SE-10 the nonce cannot be set by the request", async () => {
    const policy = "script-src 'nonce-chosen'";
    const answer = await get("/for-anybody", { "content-security-policy": policy, "content-security-policy-report-only": policy });
    expect(nonceOf(answer)).not.toBe("chosen");
    expect(answer.text).not.toContain("chosen");
  });

  test.each(RSC)("SD-02 %s by Next's router passes the same guard", async (_, headers) => {
    for (const path of ["/for-members", "/for-members?_rsc=1a2b3", "/for-members/7?_rsc=1a2b3"]) {
      const answer = await get(path, headers);
      expect([path, answer.status]).toEqual([path, 303]);
      expect(answer.headers.get("location")).toBe(`/sign-in?${new URLSearchParams({ next: path.replace("?_rsc=1a2b3", "") })}`);
      expect((await get("/for-programs", headers)).status).toBe(401);
      const rendered = await member.request(path, { headers });
      expect(rendered.headers.get("cache-control")).toContain("no-store");
    }
  });

  test.each(SPELLINGS)("SD-02 N39 %s does not bypass the guard", async (path) => {
    for (const headers of [{}, { rsc: "1" }, { "x-nextjs-data": "1" }] as HeaderFields[]) {
      const answer = await get(path, headers);
      expect(answer.text).not.toContain(MEMBERS_ONLY);
      // By the guard: a 307 to the sign-in page would come from the page, and Next's own redirects to the same path.
      if (answer.status === 307) expect(answer.headers.get("location")).toBe(`${path}?_rsc`);
      else expect([303, 308, 400, 401, 404]).toContain(answer.status);
    }
  });

  test.each(HEADERS)("SD-02 N39 no header bypasses the guard: %j", async (headers) => {
    for (const path of ["/for-members", "/for-members/7", "/for-programs", "/for-anybody", "/nowhere"]) {
      for (const method of ["GET", "POST", "PUT", "HEAD", "OPTIONS"]) {
        const answer = await send(issuer, path, { method, headers: { accept: "text/html", ...headers } });
        expect(answer.text).not.toContain(MEMBERS_ONLY);
        if (path.startsWith("/for-members") || path === "/for-programs") expect([303, 401]).toContain(answer.status);
      }
    }
  });

  test("D9 a page enforces its requirement behind the guard too", async () => {
    const answer = await get("/careless");
    expect(answer.text).not.toContain(MEMBERS_ONLY);
    expect([answer.status, answer.headers.get("location")]).toEqual([307, "/sign-in?next=%2Ffor-members"]);
    expect(words(await member.request("/careless"))).toContain(`${MEMBERS_ONLY}: bearer@`);
  });

  test("D9 an ended session is rejected", async () => {
    const leaver = await signIn(issuer, "races");
    expect((await leaver.request("/for-members")).status).toBe(200);
    await leaver.submit(await leaver.open("/account"), { button: "Sign out" });
    expect((await leaver.request("/for-members")).status).toBe(303);
  });

  test("D2 D9 a new route.ts is served and guarded by its file and its line in the policy table alone", async () => {
    expect(json(await get("/new-endpoint"))).toEqual({ path: "/new-endpoint", params: {} });
    expect(json(await member.request("/new-endpoint/a%20b"))).toEqual({ path: "/new-endpoint/[id]", params: { id: "a b" } });
    expect([(await get("/new-endpoint/7")).status, (await get("/new-endpoint/7/8")).status]).toEqual([401, 404]);
  });

  test("route handlers next to the pages still work", async () => {
    expect((await get("/sign-in")).status).toBe(200);
    expect((await get("/nowhere")).status).toBe(404);
    expect((await get("/for-members/7/items")).status).toBe(404);
  });
});

/** The visible text of a page, without the comments that React inserts. */
function words(answer: Answer): string {
  return parse(answer.text).text;
}

function nonceOf(answer: Answer): string {
  const policy = answer.headers.get("content-security-policy") ?? "";
  return /script-src 'nonce-([^']+)' 'strict-dynamic'/.exec(policy)?.[1] ?? `no nonce in ${policy}`;
}

function expectHeadersOfAPage({ headers }: Answer): void {
  expect(headers.get("cache-control")).toContain("no-store");
  expect(headers.get("x-frame-options")).toBe("DENY");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("permissions-policy")).toContain("camera=()");
  expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  expect(headers.get("content-security-policy")).toContain("default-src 'none'");
}
