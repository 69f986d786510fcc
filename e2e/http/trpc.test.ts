import { beforeAll, describe, expect, inject, test } from "vitest";
import { type Agent, newAgent } from "../harness/agent.ts";
import { CLIENTS } from "../harness/fixture.ts";
import { obtainCode, postAs, redeem, refusal, serviceToken, signIn } from "../harness/flow.ts";
import { type Answer, type HeaderFields, send, textOf } from "../harness/http.ts";
import { consoleToken, dataOf, mutate, query } from "../harness/trpc.ts";

const issuer = inject("issuer");

type Person = "admin" | "developer" | "viewer" | "trpc";
const PERSONS: Person[] = ["admin", "developer", "viewer", "trpc"];
const tokens = new Map<Person, string>();
let viewerSession: Agent;
let adminSession: Agent;

beforeAll(async () => {
  for (const person of PERSONS) tokens.set(person, await consoleToken(issuer, person));
  viewerSession = await signIn(issuer, "viewer");
  adminSession = await signIn(issuer, "admin");
});

const unique = (prefix: string) => `${prefix} ${process.pid} ${Date.now()} ${Math.random()}`.slice(0, 60);
const statusOf = (answer: Answer) => answer.status;

const VIEWS: [string, unknown][] = [
  ["applications.list", {}],
  ["deliveries.list", {}],
  ["deliveries.facets", undefined],
  ["users.list", {}],
  ["clients.get", { clientId: "web" }],
  ["clients.checkRedirectUri", { uri: "https://x.example/cb", type: "web", environment: "production" }],
];
const CHANGES: [string, unknown][] = [
  ["applications.create", { name: "X", description: "" }],
  ["clients.setEnabled", { clientId: "none-such", enabled: true }],
  ["clients.addSecret", { clientId: "none-such" }],
  ["clients.remove", { clientId: "none-such" }],
  ["users.setDisabled", { id: "none-such", disabled: true }],
  ["sessions.revokeAll", { userId: "none-such" }],
];

describe("/trpc: access control", () => {
  test.each(VIEWS)(
    "%s: 401 without credentials or with an invalid token, 403 for the role user",
    async (procedure, input) => {
      const anonymous = await query(issuer, procedure, input);
      expect(anonymous.status).toBe(401);
      expect(anonymous.headers.get("www-authenticate")).toMatch(/^Bearer /);
      expect(statusOf(await query(issuer, procedure, input, "garbage"))).toBe(401);
      expect(statusOf(await query(issuer, procedure, input, tokens.get("trpc")))).toBe(403);
      expect(statusOf(await query(issuer, procedure, input, tokens.get("viewer")))).toBe(200);
    },
  );

  test.each(CHANGES)("%s: 401 without credentials, 403 for viewers and users", async (procedure, input) => {
    expect(statusOf(await mutate(issuer, procedure, input))).toBe(401);
    expect(statusOf(await mutate(issuer, procedure, input, tokens.get("viewer")))).toBe(403);
    expect(statusOf(await mutate(issuer, procedure, input, tokens.get("trpc")))).toBe(403);
  });

  test("a role without the scope, and the scope without the role, are not enough", async () => {
    const readOnly = await consoleToken(issuer, "admin", "console:read");
    expect(statusOf(await query(issuer, "applications.list", {}, readOnly))).toBe(200);
    expect(statusOf(await mutate(issuer, "applications.create", { name: "X", description: "" }, readOnly))).toBe(403);
    const apiOnly = await consoleToken(issuer, "admin", "api:read");
    expect(statusOf(await query(issuer, "applications.list", {}, apiOnly))).toBe(403);
    expect(statusOf(await query(issuer, "me.get", undefined, apiOnly))).toBe(200);
  });

  test("a client credentials token has no user", async () => {
    expect([401, 403]).toContain(statusOf(await query(issuer, "me.get", undefined, await serviceToken(issuer))));
  });

  test("an invalid token is rejected even with a valid session", async () => {
    const answer = await viewerSession.request("/trpc/me.get", { headers: { authorization: "Bearer garbage" } });
    expect(answer.status).toBe(401);
  });

  test("BR-02 a token in the query is not read", async () => {
    expect((await send(issuer, `/trpc/me.get?access_token=${tokens.get("admin")}`)).status).toBe(401);
  });

  test("the session cookie is accepted", async () => {
    expect((await viewerSession.request("/trpc/me.get")).status).toBe(200);
    expect((await viewerSession.request("/trpc/applications.list?input=%7B%7D")).status).toBe(200);
  });

  test.each<[string, HeaderFields]>([
    [
      "another site",
      { "sec-fetch-site": "cross-site", origin: "https://evil.example", "content-type": "application/json" },
    ],
    ["a sibling", { "sec-fetch-site": "same-site", origin: issuer, "content-type": "application/json" }],
    [
      "another origin, without Sec-Fetch-Site",
      { "sec-fetch-site": undefined, origin: "https://evil.example", "content-type": "application/json" },
    ],
    ["a form", { "sec-fetch-site": "same-origin", origin: issuer, "content-type": "text/plain" }],
  ])("SE-09 a change by session from %s is refused", async (_, headers) => {
    const name = unique("csrf");
    const answer = await adminSession.request("/trpc/applications.create", {
      method: "POST",
      headers,
      body: JSON.stringify({ name, description: "" }),
    });
    expect([403, 415]).toContain(answer.status);
    const { items } = dataOf<{ items: unknown[] }>(
      await query(issuer, "applications.list", { query: name }, tokens.get("admin")),
    );
    expect(items).toHaveLength(0);
  });

  test("a mutation with a session from our own page succeeds", async () => {
    const headers = { "sec-fetch-site": "same-origin", origin: issuer, "content-type": "application/json" };
    const body = JSON.stringify({ name: unique("own page"), description: "" });
    expect((await adminSession.request("/trpc/applications.create", { method: "POST", headers, body })).status).toBe(
      200,
    );
  });
});

describe("/trpc: which pages of other origins may read it", () => {
  const SPA = "https://spa.example"; // of the fixture's client `browser`
  const preflight = (origin: string) =>
    send(issuer, "/trpc/me.get", {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,content-type",
      },
    });
  const allowedTo = ({ headers }: Answer) => [
    headers.get("access-control-allow-origin"),
    headers.get("access-control-allow-credentials"),
  ];

  test("BB-02 BB-05 a registered single-page app's, with a bearer token, refusals included", async () => {
    const asked = await preflight(SPA);
    expect([asked.status, ...allowedTo(asked)]).toEqual([204, SPA, null]);
    expect(asked.headers.get("access-control-allow-methods")).toBe("GET, POST");
    expect(asked.headers.get("access-control-allow-headers")).toBe(
      "authorization, content-type, dpop, mcp-protocol-version, *",
    );

    const headers = { origin: SPA, authorization: `Bearer ${tokens.get("viewer")}` };
    const answer = await send(issuer, "/trpc/me.get", { headers });
    expect([answer.status, ...allowedTo(answer)]).toEqual([200, SPA, null]);
    expect(answer.headers.get("vary")).toContain("Origin");
    const refused = await send(issuer, "/trpc/me.get", { headers: { origin: SPA } });
    expect([refused.status, ...allowedTo(refused)]).toEqual([401, SPA, null]);
    expect(refused.headers.get("access-control-expose-headers")).toContain("WWW-Authenticate");
  });

  test.each([
    "https://evil.example",
    "https://app.example",
    "http://spa.example",
    "https://spa.example.evil.example",
    "null",
  ])("BB-03 not those of %s", async (origin) => {
    expect(allowedTo(await preflight(origin))).toEqual([null, null]);
    const headers = { origin, authorization: `Bearer ${tokens.get("viewer")}` };
    expect(allowedTo(await send(issuer, "/trpc/me.get", { headers }))).toEqual([null, null]);
  });

  test("SE-09 a session never reaches a page of another origin: its cookie needs credentials, which nothing allows", async () => {
    const answer = await viewerSession.request("/trpc/me.get", {
      headers: { origin: SPA, "sec-fetch-site": "cross-site" },
    });
    expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
    const change = await viewerSession.request("/trpc/notes.create", {
      method: "POST",
      headers: { origin: SPA, "sec-fetch-site": "cross-site", "content-type": "application/json" },
      body: JSON.stringify({ text: "from elsewhere" }),
    });
    expect(change.status).toBe(403);
  });
});

describe("/trpc: the product's notes", () => {
  type Note = { id: string; text: string };
  const person = "trpc";
  const listOf = async (token: string) =>
    dataOf<{ items: Note[] }>(await query(issuer, "notes.list", { limit: 100 }, token)).items;

  test("are read and written with their scopes, and a 403 names the one that is missing", async () => {
    const reader = await consoleToken(issuer, person, "notes:read");
    const writer = await consoleToken(issuer, person, "notes:read notes:write");
    const text = unique("a note");
    const refused = await mutate(issuer, "notes.create", { text }, reader);
    expect(refused.status).toBe(403);
    expect(refused.headers.get("www-authenticate")).toMatch(/error="insufficient_scope", scope="notes:write"/);

    const note = dataOf<Note>(await mutate(issuer, "notes.create", { text }, writer));
    expect(await listOf(reader)).toContainEqual(expect.objectContaining({ id: note.id, text }));
    const { id } = note;
    expect(
      statusOf(await mutate(issuer, "notes.remove", { id }, await consoleToken(issuer, "viewer", "notes:write"))),
    ).toBe(404);
    expect(statusOf(await mutate(issuer, "notes.remove", { id }, writer))).toBe(200);
    expect(await listOf(reader)).not.toContainEqual(expect.objectContaining({ id }));
  });

  test.each([
    ["no credentials", undefined, 401],
    ["a bad token", "garbage", 401],
  ])("refuse %s", async (_, token, status) => {
    expect(statusOf(await query(issuer, "notes.list", {}, token))).toBe(status);
    expect(statusOf(await mutate(issuer, "notes.create", { text: "x" }, token))).toBe(status);
  });

  test("answer a session from the server's own pages, and reject malformed input", async () => {
    const headers = { "sec-fetch-site": "same-origin", origin: issuer, "content-type": "application/json" };
    const create = (body: unknown) =>
      viewerSession.request("/trpc/notes.create", { method: "POST", headers, body: JSON.stringify(body) });
    expect((await create({ text: unique("by session") })).status).toBe(200);
    expect((await create({ text: "   " })).status).toBe(400);
    expect((await create({})).status).toBe(400);
  });
});

describe("/trpc: operations", () => {
  type Registered = { client: { clientId: string; secrets: { id: string; hint: string }[] }; secret: string | null };
  const settings = {
    type: "web",
    redirectUris: ["https://made.example/cb"],
    postLogoutRedirectUris: [],
    grantTypes: ["authorization_code", "refresh_token"],
    scopes: ["api:read"],
  };
  const newApplication = async () =>
    dataOf<{ id: string }>(
      await mutate(issuer, "applications.create", { name: unique("made"), description: "" }, tokens.get("admin")),
    ).id;

  test("D11 an admin registers a client whose secret works at once and is shown only once", async () => {
    const applicationId = await newApplication();
    const answer = await mutate(
      issuer,
      "clients.register",
      { applicationId, environment: "production", ...settings },
      tokens.get("admin"),
    );
    const { client, secret } = dataOf<Registered>(answer);
    const made = { client_id: client.clientId, client_secret: secret ?? "", redirect_uris: settings.redirectUris };
    expect((await redeem(issuer, made, await obtainCode(adminSession, made))).status).toBe(200);

    const again = await query(issuer, "clients.get", { clientId: client.clientId }, tokens.get("admin"));
    expect(secret).toMatch(/^gcs_/);
    expect(again.text).not.toContain(secret);

    await mutate(issuer, "clients.setEnabled", { clientId: client.clientId, enabled: false }, tokens.get("admin"));
    expect((await postAs(issuer, "/token", made, { grant_type: "refresh_token", refresh_token: "x" })).status).toBe(
      401,
    );
  });

  test("CA-10 two secrets work during a rotation, and a retired one stops working", async () => {
    const applicationId = await newApplication();
    const first = dataOf<Registered>(
      await mutate(
        issuer,
        "clients.register",
        { applicationId, environment: "staging", ...settings },
        tokens.get("admin"),
      ),
    );
    const { clientId } = first.client;
    const second = dataOf<{ secret: string }>(
      await mutate(issuer, "clients.addSecret", { clientId }, tokens.get("admin")),
    );
    const works = async (client_secret: string) =>
      refusal(
        await postAs(
          issuer,
          "/token",
          { client_id: clientId, client_secret },
          { grant_type: "refresh_token", refresh_token: "x" },
        ),
      );
    expect(await works(first.secret ?? "")).toEqual([400, "invalid_grant"]);
    expect(await works(second.secret)).toEqual([400, "invalid_grant"]);

    await mutate(
      issuer,
      "clients.retireSecret",
      { clientId, secretId: first.client.secrets[0]?.id },
      tokens.get("admin"),
    );
    expect(await works(first.secret ?? "")).toEqual([401, "invalid_client"]);
    expect(await works(second.secret)).toEqual([400, "invalid_grant"]);
  });

  test("D11 a developer manages development and staging, not production", async () => {
    const applicationId = await newApplication();
    const register = (environment: string) =>
      mutate(issuer, "clients.register", { applicationId, environment, ...settings }, tokens.get("developer"));
    expect(statusOf(await register("development"))).toBe(200);
    expect(statusOf(await register("staging"))).toBe(200);
    expect(statusOf(await register("production"))).toBe(403);
    expect(
      statusOf(
        await mutate(issuer, "clients.setEnabled", { clientId: "web", enabled: false }, tokens.get("developer")),
      ),
    ).toBe(403);
    const up = {
      applicationId,
      from: "staging",
      to: "production",
      redirectUris: ["https://made.example/cb"],
      postLogoutRedirectUris: [],
    };
    expect(statusOf(await mutate(issuer, "clients.promote", up, tokens.get("developer")))).toBe(403);
    expect(statusOf(await mutate(issuer, "clients.promote", up, tokens.get("admin")))).toBe(200);
  });

  test.each([
    ["a fragment", "https://made.example/cb#x"],
    ["an empty fragment", "https://made.example/cb#"],
    ["SD-06 a wildcard", "https://*.made.example/cb"],
    ["a wildcard in the path", "https://made.example/*"],
    ["a relative path", "/cb"],
    ["user information", "https://me@made.example/cb"],
    ["a script", "javascript:alert(1)"],
    ["data", "data:text/html,x"],
    ["no path", "https://made.example"],
    ["RU-04 http", "http://made.example/cb"],
    ["D11 loopback in production", "http://localhost:3000/cb"],
  ])("RU-03 registration refuses %s and says why", async (_, uri) => {
    const input = {
      applicationId: await newApplication(),
      environment: "production",
      ...settings,
      redirectUris: [uri],
    };
    const answer = await mutate(issuer, "clients.register", input, tokens.get("admin"));
    expect(answer.status).toBe(400);
    expect(answer.text).toContain("redirectUris");
    const verdict = await query(
      issuer,
      "clients.checkRedirectUri",
      { uri, type: "web", environment: "production" },
      tokens.get("admin"),
    );
    expect(dataOf<{ ok: boolean; message?: string }>(verdict)).toMatchObject({
      ok: false,
      message: expect.stringMatching(/\w+/),
    });
  });

  test.each<[string, unknown]>([
    ["applications.create", { name: "" }],
    ["applications.create", null],
    ["clients.register", { applicationId: 7 }],
    ["users.update", { id: "u", name: "", role: "king" }],
  ])("%s with malformed input is 400 without a stack", async (procedure, input) => {
    const answer = await mutate(issuer, procedure, input, tokens.get("admin"));
    expect(answer.status).toBe(400);
    expect(answer.text).not.toMatch(/stack|node_modules|\.ts:/);
  });

  test("unknown procedures, invalid JSON and other methods are client errors", async () => {
    expect((await query(issuer, "no.such", {}, tokens.get("admin"))).status).toBe(404);
    const headers = { "content-type": "application/json", authorization: `Bearer ${tokens.get("admin")}` };
    expect((await send(issuer, "/trpc/applications.create", { method: "POST", headers, body: "{" })).status).toBe(400);
    expect((await send(issuer, "/trpc/applications.list?input=%7B", { headers })).status).toBe(400);
    expect((await send(issuer, "/trpc/applications.list", { method: "DELETE", headers })).status).toBe(405);
  });

  test("SE-07 disabling a user ends sessions and tokens at once", async () => {
    const email = `off-${Date.now()}@example.com`;
    const password = "a long enough password";
    const signUp = newAgent(issuer);
    const fields = { Name: "Off", Email: email, Password: password };
    await signUp.submit(await signUp.open("/sign-up"), { fields, button: "Create account" });
    const found = dataOf<{ items: { id: string }[] }>(
      await query(issuer, "users.list", { query: email }, tokens.get("admin")),
    );
    const id = found.items[0]?.id;
    const agent = await signInAs(email, password);
    const code = await obtainCode(agent, CLIENTS.web);
    const answer = await redeem(issuer, CLIENTS.web, await obtainCode(agent, CLIENTS.web));
    await mutate(issuer, "users.setDisabled", { id, disabled: true }, tokens.get("admin"));

    expect((await agent.request("/api/protected/me")).status).toBe(401);
    const call = await send(issuer, "/api/resource", {
      headers: { authorization: `Bearer ${textOf(answer, "access_token")}` },
    });
    expect(refusal(call)).toEqual([401, "invalid_token"]);
    expect(refusal(await redeem(issuer, CLIENTS.web, code))).toEqual([400, "invalid_grant"]);
    await expect(signInAs(email, password)).rejects.toThrow();
  });
});

async function signInAs(email: string, password: string): Promise<Agent> {
  const agent = newAgent(issuer);
  const page = await agent.submit(await agent.open("/sign-in"), {
    fields: { Email: email, Password: password },
    button: "Sign in",
  });
  if (page.status !== 200) throw new Error(`${page.status}`);
  return agent;
}
