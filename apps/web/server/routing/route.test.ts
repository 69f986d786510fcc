import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestApp } from "../start/testing/test-app.ts";
import { route } from "./route.ts";

// Calls the handlers directly, without the guard in front (SD-03), on a database of their own.
const ISSUER = "http://localhost:3000";
const APP = join(import.meta.dirname, "../../app");
let running: Awaited<ReturnType<typeof startTestApp>>;

type Handler = (request: Request, context?: { params: Promise<Record<string, string>> }) => Promise<Response>;
type Routes = Record<"GET" | "HEAD" | "POST" | "DELETE", Handler>;

const load = async (path: string) => (await import(/* @vite-ignore */ join(APP, path, "route.ts"))) as Routes;
const get = (path: string, headers: Record<string, string> = {}) => new Request(ISSUER + path, { headers });
const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  new Request(ISSUER + path, { method: "POST", body: new URLSearchParams(fields), headers });

/** The hidden token and the cookies of a page's form. */
async function formOf(response: Response): Promise<{ csrf: string; cookie: string }> {
  const csrf = /name="csrf" value="([^"]+)"/.exec(await response.text())?.[1] ?? "";
  return { csrf, cookie: cookiesOf(response) };
}
const cookiesOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");

async function signUp(email: string): Promise<string> {
  const { GET, POST } = await load("/sign-up");
  const { csrf, cookie } = await formOf(await GET(get("/sign-up")));
  const done = await POST(
    post("/sign-up", { csrf, name: "Ada", email, password: "a long enough password" }, { cookie }),
  );
  expect([done.status, done.headers.get("location")]).toEqual([303, "/account"]);
  return cookiesOf(done);
}

beforeAll(async () => {
  running = await startTestApp();
});
afterAll(() => running.close());

describe("what `route` enforces without the guard, SD-03", () => {
  test("SD-01 a protected route responds with 401 in JSON unless there is a session", async () => {
    const { GET } = await load("/api/protected/[[...path]]");
    const refused = await GET(get("/api/protected/x"));
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({ error: "unauthenticated" });
    const cookie = await signUp("sd01@example.com");
    expect(await (await GET(get("/api/protected/x", { cookie }))).json()).toMatchObject({
      user: { email: "sd01@example.com", role: "user" },
    });
  });

  test.each(["/account", "/consent", "/device"])("%s redirects to the sign-in page and back", async (path) => {
    const answer = await (await load(path)).GET(get(`${path}?a=b`));
    expect([answer.status, answer.headers.get("location")]).toEqual([
      303,
      `/sign-in?next=${encodeURIComponent(`${path}?a=b`)}`,
    ]);
  });

  test.each([
    ["/sign-in", "GET, HEAD, POST"],
    ["/sign-out", "POST"],
    ["/authorize", "GET, POST"],
    ["/healthz", "GET, HEAD"],
  ])("NX-02 %s answers other methods with 405 and Allow", async (path, allow) => {
    const answer = await (await load(path)).DELETE(new Request(ISSUER + path, { method: "DELETE" }));
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, allow]);
  });

  test("AZ-30 HEAD on /authorize is rejected, so that it cannot issue a code", async () => {
    const { HEAD } = await load("/authorize");
    expect((await HEAD(new Request(`${ISSUER}/authorize`, { method: "HEAD" }))).status).toBe(405);
  });

  test("AZ-01 a POST to /authorize is redirected to the GET", async () => {
    const answer = await (await load("/authorize")).POST(post("/authorize", { client_id: "x", state: "a b&c" }));
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/authorize?client_id=x&state=a+b%26c"]);
  });
});

describe("forms, SE-09", () => {
  test("N16 a form without a token or from another site does nothing", async () => {
    const { GET, POST } = await load("/sign-in");
    const { csrf, cookie } = await formOf(await GET(get("/sign-in")));
    const fields = { email: "admin@example.com", password: "only for these tests" };
    expect((await POST(post("/sign-in", fields, { cookie }))).status).toBe(403);
    expect((await POST(post("/sign-in", { ...fields, csrf }, { cookie, "sec-fetch-site": "cross-site" }))).status).toBe(
      403,
    );
    expect(
      (await POST(post("/sign-in", { ...fields, csrf }, { cookie, "sec-fetch-site": "same-origin" }))).status,
    ).toBe(303);
  });

  test.each([
    ["JSON", 415, "application/json", "{}"],
    ["more than any of our forms", 413, "application/x-www-form-urlencoded", `a=${"a".repeat(70_000)}`],
  ])("%s is rejected with %i", async (_, status, type, body) => {
    const { POST } = await load("/sign-in");
    const answer = await POST(
      new Request(`${ISSUER}/sign-in`, { method: "POST", headers: { "content-type": type }, body }),
    );
    expect(answer.status).toBe(status);
    expect(answer.headers.get("gatehouse-error-id")).toMatch(/^[0-9A-Z]{10}$/);
  });

  test("TK-10 a sender that hangs up gets 400, which is not logged as an internal error", async () => {
    const broken = () => new ReadableStream({ pull: () => Promise.reject(new Error("aborted")) });
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    for (const path of ["/sign-in", "/token"] as const) {
      const init = { method: "POST", headers, body: broken(), duplex: "half" };
      expect((await (await load(path)).POST(new Request(ISSUER + path, init))).status).toBe(400);
    }
  });

  test("after ten wrong passwords in a row, sign-in is paused, SE-07", async () => {
    const { GET, POST } = await load("/sign-in");
    const { csrf, cookie } = await formOf(await GET(get("/sign-in")));
    const attempt = () => POST(post("/sign-in", { csrf, email: "nobody@example.com", password: "wrong" }, { cookie }));
    for (let tries = 0; tries < 10; tries++) expect((await attempt()).status).toBe(400);
    const closed = await attempt();
    expect(closed.status).toBe(429);
    expect(Number(closed.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});

test("an unexpected error is a 500 that reveals only its id", async () => {
  const { GET } = route("/healthz", () => {
    throw new Error("the innards");
  });
  const answer = await GET(get("/healthz"));
  expect(answer.status).toBe(500);
  const body = await answer.text();
  expect(body).not.toContain("innards");
  expect(JSON.parse(body)).toMatchObject({ error: "server_error", error_id: answer.headers.get("gatehouse-error-id") });
});
