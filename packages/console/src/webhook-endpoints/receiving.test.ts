import { randomBytes } from "node:crypto";
import { createSeal, sha256 } from "@gatehouse/auth";
import { createWebhookStore, WEBHOOK_SECRET_PURPOSE } from "@gatehouse/db/stores/webhooks/store";
import { engines, type TestDatabase } from "@gatehouse/db/testing/engines";
import { receive } from "@gatehouse/webhooks";
import { stripeHeaders, UNREACHABLE_PROVIDERS } from "@gatehouse/webhooks/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { webhookSecretWrite } from "../webhook-secrets/queries.ts";
import { endpointInsert } from "./queries.ts";

const NOW = 1_700_000_000;
const SECRET = "whsec_test_0123456789";

describe.each(engines)("receiving webhooks into $name", ({ open }) => {
  let database: TestDatabase;
  const seal = createSeal("a secret of at least thirty-two bytes", randomBytes);

  beforeAll(async () => {
    database = await open();
    const sealed = seal.seal(WEBHOOK_SECRET_PURPOSE, SECRET);
    const times = { createdAt: NOW, expiresAt: null, removedAt: null, lastMatchedAt: null };
    const row = {
      id: "s1",
      endpoint: "stripe",
      kind: "signing" as const,
      sealed,
      hash: sha256(SECRET),
      hint: "6789",
      name: null,
      ...times,
    };
    const { db } = database;
    const endpoint = {
      slug: "stripe",
      provider: "stripe",
      environment: "production",
      name: null,
      settings: {},
      createdAt: NOW,
    } as const;
    await db.transaction([endpointInsert(db, endpoint), webhookSecretWrite(db, { row, change: {} })]);
  });
  afterAll(() => database.close());

  async function send(
    provider: string,
    body: string,
    headers: Record<string, string> = { "content-type": "application/json" },
  ) {
    const deps = {
      store: createWebhookStore(database.db, seal, () => NOW),
      outbound: UNREACHABLE_PROVIDERS,
      handlersFor: () => [],
      baseUrl: "https://gatehouse.test",
      now: () => NOW,
      nowMs: () => performance.timeOrigin + performance.now(),
      random: randomBytes,
    };
    const request = new Request(`https://gatehouse.test/api/webhooks/${provider}`, { method: "POST", body, headers });
    const response = await receive(request, provider, deps, { address: "192.0.2.7" });
    return { status: response.status, id: response.headers.get("gatehouse-delivery-id"), body: await response.json() };
  }
  const rows = () => database.db.select().from(database.db.tables.webhookDeliveries);

  test("fifty simultaneous deliveries of one event are all acknowledged and recorded, and one is new", async () => {
    const body = '{"id":"evt_race","type":"invoice.paid"}';
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => send("stripe", body, stripeHeaders(body, SECRET, NOW))),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(answers.filter(({ body }) => !Object.hasOwn(Object(body), "duplicate"))).toHaveLength(1);
    const reasons = (await rows()).filter(({ eventId }) => eventId === "evt_race").map(({ reason }) => reason);
    expect([reasons.length, reasons.filter((reason) => reason === "accepted").length]).toEqual([50, 1]);
  });

  test("unsigned, forged and hostile bodies are recorded with their reasons, whatever characters they contain", async () => {
    const hostile = '{"id":"a\\u0000b","type":"\\ud800"}';
    const answers = [
      await send("stripe", hostile),
      await send("stripe", hostile, stripeHeaders(hostile, "whsec_other", NOW)),
      await send("stripe", hostile, stripeHeaders(hostile, SECRET, NOW)),
      await send("stripe", "null", stripeHeaders("null", SECRET, NOW)),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 200, 200]);
    const kept = new Map((await rows()).map((row) => [row.id, row]));
    expect(answers.map(({ id }) => kept.get(id ?? "")?.reason)).toEqual([
      "signature_missing",
      "signature_mismatch",
      "accepted",
      "accepted",
    ]);
    expect(Buffer.from(kept.get(answers[2]?.id ?? "")?.body ?? []).toString()).toBe(hostile);
  });

  test("neither an unknown provider nor an endpoint that nobody has set up leaves a row", async () => {
    const before = (await rows()).length;
    expect((await send("nobody", "{}")).status).toBe(404);
    expect((await send("polar", "{}")).status).toBe(400);
    expect(await rows()).toHaveLength(before);
  });
});
