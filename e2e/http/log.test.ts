import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { CLIENTS, fixture } from "../harness/fixture.ts";
import { authorizePath, signIn } from "../harness/flow.ts";
import { apply, startWeb } from "../harness/gatehouse.ts";
import { postForm, send } from "../harness/http.ts";
import { freePort, type Running } from "../harness/processes.ts";

const ADMIN_URL = "https://console.example";
let folder: string;
let issuer: string;
let server: Running;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-log-"));
  const port = await freePort();
  issuer = `http://localhost:${port}`;
  const own = {
    GATEHOUSE_ISSUER: issuer,
    GATEHOUSE_DATA_DIR: folder,
    DATABASE_URL: `file:${join(folder, "gatehouse.db")}`,
    LOG_LEVEL: "info",
    GATEHOUSE_ADMIN_URL: ADMIN_URL,
  };
  const env = { ...inject("env"), ...own };
  await apply(fixture(), folder, env);
  server = await startWeb(env, port);
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The log line of a route's refused request, once it is written. */
async function lineOf(route: string): Promise<Record<string, unknown>> {
  const lines = () =>
    server
      .output()
      .split("\n")
      .flatMap((line) => (line.startsWith("{") && line.endsWith("}") ? [JSON.parse(line) as Record<string, unknown>] : []));
  const find = () => lines().findLast((line) => line["route"] === route);
  await expect.poll(find, { timeout: 10_000 }).toBeDefined();
  return find() ?? {};
}

test("OP-77 the log line of a refused request has the error id, the cause, the client and the link to the console (CO-04)", async () => {
  const { client_id, client_secret } = CLIENTS.service;
  const wrong = `${client_secret}-wrong`;
  const answer = await postForm(issuer, "/token", { grant_type: "client_credentials", client_id, client_secret: wrong });
  expect(await lineOf("/token")).toMatchObject({
    method: "POST",
    status: 401,
    error_id: answer.headers.get("gatehouse-error-id"),
    cause: "secret_wrong",
    client_id,
    console: `${ADMIN_URL}/go/${answer.headers.get("gatehouse-error-id")}`,
  });
  expect(server.output()).not.toContain(client_secret);
});

test("OP-77 a secret sent as client_id is not logged", async () => {
  const secret = `gcs_${"s".repeat(43)}`;
  await postForm(issuer, "/introspect", { client_id: secret, client_secret: secret, token: secret });
  expect(await lineOf("/introspect")).toMatchObject({ status: 401, cause: "client_unknown", client_id: null });
  expect(server.output()).not.toContain(secret);
});

test("OP-77 an error that is redirected to the client is logged too", async () => {
  const agent = await signIn(issuer, "bearer");
  const answer = await agent.request(authorizePath(CLIENTS.web, { response_type: "token" }));
  expect(answer.status).toBe(303);
  expect(await lineOf("/authorize")).toMatchObject({ status: 303, cause: "response_type_unsupported", client_id: CLIENTS.web.client_id });
});

test("OP-77 an expected step of a flow has a cause but no id", async () => {
  await send(issuer, "/api/resource");
  expect(await lineOf("/api/resource")).toMatchObject({ status: 401, error_id: null, cause: "token_missing", client_id: null });
});

test("CO-04 the log line of a rejected delivery has its id and the link to the console", async () => {
  const answer = await send(issuer, "/api/webhooks/stripe", { method: "POST", body: "{}" });
  const id = answer.headers.get("gatehouse-delivery-id");
  expect(await lineOf("/api/webhooks/[provider]")).toMatchObject({ delivery_id: id, console: `${ADMIN_URL}/go/${id}` });
});
