import { afterAll, beforeAll, expect, test } from "vitest";
import { CLIENTS, fixture } from "../harness/fixture.ts";
import { authorizePath, signIn } from "../harness/flow.ts";
import { type Gatehouse, startGatehouse } from "../harness/gatehouse.ts";
import { postForm, send } from "../harness/http.ts";

const ADMIN_URL = "https://console.example";
let own: Gatehouse;
let issuer: string;
beforeAll(async () => {
  const settings = { LOG_LEVEL: "info", GATEHOUSE_ADMIN_URL: ADMIN_URL };
  own = await startGatehouse({ engine: "sqlite", fixture: fixture(), settings });
  issuer = own.issuer;
});
afterAll(() => own?.stop());

/** The log line of a route's refused request, once it is written. */
async function lineOf(route: string): Promise<Record<string, unknown>> {
  const lines = () =>
    own
      .output()
      .split("\n")
      .flatMap((line) =>
        line.startsWith("{") && line.endsWith("}") ? [JSON.parse(line) as Record<string, unknown>] : [],
      );
  const find = () => lines().findLast((line) => line["route"] === route);
  await expect.poll(find, { timeout: 10_000 }).toBeDefined();
  return find() ?? {};
}

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
