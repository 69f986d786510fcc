import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Stripe from "stripe";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { CLIENTS, fixture, WEBHOOK_SECRETS } from "../harness/fixture.ts";
import { obtainCode, redeem, refusal, signIn } from "../harness/flow.ts";
import { apply, startWeb } from "../harness/gatehouse.ts";
import { json, send } from "../harness/http.ts";
import { freePort, type Running } from "../harness/processes.ts";

const { web } = CLIENTS;
const stripe = new Stripe("sk_test_never_used");

let folder: string;
let env: Record<string, string>;
let port: number;
let issuer: string;
let server: Running;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-crash-"));
  port = await freePort();
  issuer = `http://localhost:${port}`;
  env = { ...inject("env"), GATEHOUSE_ISSUER: issuer, GATEHOUSE_DATA_DIR: folder, DATABASE_URL: `file:${join(folder, "gatehouse.db")}` };
  await apply(fixture(), folder, env);
  server = await startWeb(env, port);
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

async function restart(): Promise<void> {
  await server.crash();
  server = await startWeb(env, port);
}

function deliver(id: string) {
  const payload = JSON.stringify({ id, object: "event", type: "crash.test" });
  const signature = stripe.webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRETS.stripe });
  const headers = { "content-type": "application/json", "stripe-signature": signature };
  return send(issuer, "/api/webhooks/stripe", { method: "POST", headers, body: payload });
}

test("D7 every acknowledged delivery survives a killed process", async () => {
  const acknowledged: string[] = [];
  let crashed: Promise<void> | undefined;
  const senders = Array.from({ length: 16 }, async (_, sender) => {
    for (let turn = 0; crashed === undefined; turn++) {
      const id = `evt_${sender}_${turn}`;
      const answer = await deliver(id).catch(() => undefined);
      if (answer?.status !== 200) return;
      acknowledged.push(id);
      if (acknowledged.length >= 300) crashed ??= restart();
    }
  });
  await Promise.all(senders);
  await crashed;

  expect(acknowledged.length).toBeGreaterThanOrEqual(300);
  const lost: string[] = [];
  for (const id of acknowledged) if (json(await deliver(id))["duplicate"] !== true) lost.push(id);
  expect(lost).toEqual([]);
});

test("D7 a spent code stays spent after a killed process", async () => {
  const ada = await signIn(issuer, "races");
  const obtained = await obtainCode(ada, web);
  expect((await redeem(issuer, web, obtained)).status).toBe(200);
  await restart();
  expect(refusal(await redeem(issuer, web, obtained))).toEqual([400, "invalid_grant"]);
  expect((await ada.request("/api/protected/me")).status).toBe(200);
});
