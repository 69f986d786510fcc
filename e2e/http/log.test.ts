import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CLIENTS, fixture } from "../harness/fixture.ts";
import { authorizePath, signIn } from "../harness/flow.ts";
import { type Gatehouse, startGatehouse } from "../harness/gatehouse.ts";
import { encodeForm, postForm, send } from "../harness/http.ts";
import { ROUTES } from "../harness/policy-table.ts";

const onNext = process.env["GATEHOUSE_TEST_MOUNT"] === "next";
const ADMIN_URL = "https://console.example";
let own: Gatehouse;
let issuer: string;
beforeAll(async () => {
  const settings = { LOG_LEVEL: "debug", GATEHOUSE_ADMIN_URL: ADMIN_URL };
  own = await startGatehouse({ engine: "sqlite", fixture: fixture(), settings });
  issuer = own.issuer;
});
afterAll(() => own?.stop());

type Line = Record<string, unknown>;

const lines = () =>
  own
    .output()
    .split("\n")
    .flatMap((line) => (line.startsWith("{") && line.endsWith("}") ? [JSON.parse(line) as Line] : []));

/** The last line that is so, once it is written. */
async function lineWith(isMeant: (line: Line) => boolean): Promise<Line> {
  const find = () => lines().findLast(isMeant);
  await expect.poll(find, { timeout: 10_000 }).toBeDefined();
  return find() ?? {};
}

/** The log line of a route's last request. */
const lineOf = (route: string) => lineWith((line) => line["route"] === route);

test("OP-77 the log line of a refused request has the error id, the cause, the client and the link to the console (CO-04)", async () => {
  const { client_id, client_secret } = CLIENTS.service;
  const wrong = `${client_secret}-wrong`;
  const answer = await postForm(issuer, "/token", {
    grant_type: "client_credentials",
    client_id,
    client_secret: wrong,
  });
  expect(await lineOf("/token")).toMatchObject({
    method: "POST",
    status: 401,
    error_id: answer.headers.get("gatehouse-error-id"),
    cause: "secret_wrong",
    client_id,
    console: `${ADMIN_URL}/go/${answer.headers.get("gatehouse-error-id")}`,
  });
  expect(own.output()).not.toContain(client_secret);
});

test("OP-77 a secret sent as client_id is not logged", async () => {
  const secret = `gcs_${"s".repeat(43)}`;
  await postForm(issuer, "/introspect", { client_id: secret, client_secret: secret, token: secret });
  expect(await lineOf("/introspect")).toMatchObject({ status: 401, cause: "client_unknown", client_id: null });
  expect(own.output()).not.toContain(secret);
});

test("OP-77 an error that is redirected to the client is logged too", async () => {
  const agent = await signIn(issuer, "bearer");
  const answer = await agent.request(authorizePath(CLIENTS.web, { response_type: "token" }));
  expect(answer.status).toBe(303);
  expect(await lineOf("/authorize")).toMatchObject({
    status: 303,
    cause: "response_type_unsupported",
    client_id: CLIENTS.web.client_id,
  });
});

test("OP-77 an expected step of a flow has a cause but no id", async () => {
  await send(issuer, "/api/resource");
  expect(await lineOf("/api/resource")).toMatchObject({
    status: 401,
    error_id: null,
    cause: "token_missing",
    client_id: null,
  });
});

test("CO-04 the log line of a rejected delivery has its id and the link to the console", async () => {
  const answer = await send(issuer, "/api/webhooks/stripe", { method: "POST", body: "{}" });
  const id = answer.headers.get("gatehouse-delivery-id");
  expect(await lineOf("/api/webhooks/[provider]")).toMatchObject({ delivery_id: id, console: `${ADMIN_URL}/go/${id}` });
});

const UUID = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

test.each([
  ["a handler", "/.well-known/jwks.json", 200],
  ...(onNext ? [] : [["the guard", "/api/protected/me", 401] as const]), // Next's own answers have none
  ["nothing", "/api/nothing", 404],
] as const)("OP-77 every response names its request, and the line has that id: %s", async (_, path, status) => {
  const answer = await send(issuer, path);
  const id = answer.headers.get("x-request-id") ?? "";
  expect([answer.status, id]).toEqual([status, expect.stringMatching(UUID)]);
  expect(await lineWith((line) => line["request_id"] === id)).toMatchObject({
    method: "GET",
    status,
    ms: expect.any(Number),
  });
});

test("OP-77 a trusted proxy names the request and its trace; the line has the client, too", async () => {
  const traceId = randomBytes(16).toString("hex");
  const { client_id, client_secret = "" } = CLIENTS.service;
  const answer = await send(issuer, "/token", {
    method: "POST",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      "x-request-id": "id-of-the-proxy",
      traceparent: `00-${traceId}-00f067aa0ba902b7-00`,
    },
    body: encodeForm({ grant_type: "client_credentials", client_id, client_secret }),
  });
  expect(answer.headers.get("x-request-id")).toBe("id-of-the-proxy");
  expect(await lineWith((line) => line["request_id"] === "id-of-the-proxy")).toMatchObject({
    route: "/token",
    status: 200,
    trace_id: traceId,
    client_id,
  });
});

/** Wherever a secret can be sent, one that the log would show. */
function secretsFor(at: number): { headers: Record<string, string>; query: string; form: Record<string, string> } {
  const secret = (kind: string) => `leaked-${kind}-${at}-${"x".repeat(32)}`;
  const [basic, bearer] = [Buffer.from(`client:${secret("basic")}`).toString("base64"), `gat_${secret("bearer")}`];
  const inForm = ["client_secret", "password", "code", "refresh_token", "code_verifier", "token", "assertion", "csrf"];
  const inQuery = ["code", "state", "token", "access_token", "request", "ticket", "id_token_hint"];
  return {
    headers: {
      authorization: at % 2 === 0 ? `Basic ${basic}` : `Bearer ${bearer}`,
      cookie: `gatehouse_session=${secret("cookie")}; __Host-gatehouse_session=${secret("cookie")}`,
      dpop: secret("dpop"),
      "stripe-signature": `t=1,v1=${secret("signature")}`,
      "x-hub-signature-256": `sha256=${secret("signature")}`,
      tracestate: secret("tracestate"),
    },
    query: encodeForm(Object.fromEntries(inQuery.map((name) => [name, secret(name)]))),
    form: Object.fromEntries(inForm.map((name) => [name, secret(name)])),
  };
}

test("OP-77 no route logs a secret, wherever it is sent", async () => {
  const output = own.watchOutput();
  const asked = ROUTES.filter(({ kind }) => kind !== "react").flatMap(({ path }, at) =>
    ["GET", "POST"].map(async (method) => {
      const { headers, query, form } = secretsFor(at);
      const body = method === "POST" ? encodeForm(form) : undefined;
      const sent = { ...headers, ...(body && { "content-type": "application/x-www-form-urlencoded" }) };
      const target = `${path.replace(/\[+\.*\w+\]+/g, `gat_leaked-path-${at}-${"x".repeat(32)}`)}?${query}`;
      return (await send(issuer, target, { method, headers: sent, body })).headers.get("x-request-id") ?? "";
    }),
  );
  const ids = await Promise.all(asked);
  const linesWith = (text: string) =>
    output()
      .split("\n")
      .filter((line) => line.includes(text));
  expect(ids.length).toBeGreaterThan(100);
  await expect.poll(() => ids.filter((id) => !output().includes(id)), { timeout: 10_000 }).toEqual([]);
  expect(linesWith("leaked-")).toEqual([]);
  for (const { authorization = "" } of ROUTES.map((_, at) => secretsFor(at).headers))
    expect(linesWith(authorization.split(" ")[1] ?? "")).toEqual([]);
});
