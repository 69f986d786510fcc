import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import Stripe from "stripe";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { WEBHOOK_SECRETS } from "../harness/fixture.ts";
import { signIn } from "../harness/flow.ts";
import { type Answer, json, send } from "../harness/http.ts";
import { consoleToken, dataOf, query } from "../harness/trpc.ts";

const issuer = inject("issuer");
const stripe = new Stripe("sk_test_never_used");
const now = () => Math.floor(Date.now() / 1000);

let counter = 0;
const freshId = (prefix: string) => `${prefix}_${process.pid}_${Date.now()}_${counter++}`;
const event = (id = freshId("evt")) => JSON.stringify({ id, object: "event", type: "invoice.paid" });

const deliver = (
  provider: string,
  body: string | Buffer,
  headers: Record<string, string | string[]>,
  method = "POST",
) =>
  send(issuer, `/api/webhooks/${provider}`, {
    method,
    headers: { "content-type": "application/json", ...headers },
    body,
  });

/** Signed by Stripe's own library. */
function stripeSigned(payload: string, change: { secret?: string; timestamp?: number } = {}): Record<string, string> {
  const secret = change.secret ?? WEBHOOK_SECRETS.stripe;
  const timestamp = change.timestamp ?? now();
  return { "stripe-signature": stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp }) };
}

/** Signed by the Standard Webhooks project's own library. */
function standardSigned(
  payload: string,
  { secret = WEBHOOK_SECRETS.standard, id = freshId("msg"), at = new Date(), prefix = "webhook" } = {},
) {
  const signature = new Webhook(secret).sign(id, at, payload);
  return {
    [`${prefix}-id`]: id,
    [`${prefix}-timestamp`]: String(Math.floor(at.getTime() / 1000)),
    [`${prefix}-signature`]: signature,
  };
}

function expectRefused(answer: Answer, status: number, reason: string): void {
  expect([answer.status, json(answer)["reason"]]).toEqual([status, reason]);
  expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
}

function expectReceived(answer: Answer, duplicate = false): void {
  expect([answer.status, json(answer)]).toEqual([
    200,
    duplicate ? { received: true, duplicate: true } : { received: true },
  ]);
}

describe("Stripe", () => {
  test("SD-04 a delivery signed by Stripe's own library is accepted, and its repeat is a duplicate", async () => {
    const body = event();
    expectReceived(await deliver("stripe", body, stripeSigned(body)));
    expectReceived(await deliver("stripe", body, stripeSigned(body)), true);
  });

  test("SD-04 of ten concurrent deliveries of one event exactly one is new", async () => {
    const body = event();
    const answers = await Promise.all(Array.from({ length: 10 }, () => deliver("stripe", body, stripeSigned(body))));
    expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(200));
    expect(answers.filter((answer) => json(answer)["duplicate"] === undefined)).toHaveLength(1);
  });

  test("a second active secret and a header with several signatures are accepted", async () => {
    const body = event();
    expectReceived(await deliver("stripe", body, stripeSigned(body, { secret: WEBHOOK_SECRETS.stripePrevious })));
    const other = event();
    const header = stripeSigned(other)["stripe-signature"] ?? "";
    const rotating = header.replace(",v1=", `,v1=${"0".repeat(64)},v1=`);
    expectReceived(await deliver("stripe", other, { "stripe-signature": rotating }));
  });

  test.each<[string, (body: string) => Record<string, string>, string]>([
    ["N40 no signature", () => ({}), "signature_missing"],
    ["an empty signature", () => ({ "stripe-signature": "" }), "signature_missing"],
    ["another secret", (body) => stripeSigned(body, { secret: "whsec_other" }), "signature_mismatch"],
    ["another body", () => stripeSigned("{}"), "signature_mismatch"],
    ["v0 alone", () => ({ "stripe-signature": `t=${now()},v0=${"0".repeat(64)}` }), "signature_scheme_unknown"],
    ["no timestamp", () => ({ "stripe-signature": `v1=${"0".repeat(64)}` }), "signature_malformed"],
    [
      "a timestamp with letters",
      () => ({ "stripe-signature": `t=${now()}x,v1=${"0".repeat(64)}` }),
      "signature_malformed",
    ],
    ["a short digest", () => ({ "stripe-signature": `t=${now()},v1=00` }), "signature_malformed"],
    ["noise", () => ({ "stripe-signature": "hello" }), "signature_malformed"],
    ["a time long past", (body) => stripeSigned(body, { timestamp: now() - 3600 }), "timestamp_too_old"],
    ["a time to come", (body) => stripeSigned(body, { timestamp: now() + 3600 }), "timestamp_in_future"],
  ])("SD-04 %s gets 400", async (_, headers, reason) => {
    const body = event();
    expectRefused(await deliver("stripe", body, headers(body)), 400, reason);
  });

  test.each(["null", "7", '"text"', "[1,2]", "true"])("interop-24 a signed body %s is valid JSON", async (body) => {
    expect((await deliver("stripe", body, stripeSigned(body))).status).toBe(200);
  });

  test("a signed body that is not JSON", async () => {
    const body = `not json ${freshId("x")}`;
    expectRefused(await deliver("stripe", body, stripeSigned(body)), 400, "unparsable");
  });

  test("the signature is verified over the raw bytes", async () => {
    const body = Buffer.concat([
      Buffer.from('{"id":"'),
      Buffer.from(freshId("evt")),
      Buffer.from('","note":"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}'),
    ]);
    const t = now();
    const v1 = createHmac("sha256", WEBHOOK_SECRETS.stripe).update(`${t}.`).update(body).digest("hex");
    expectRefused(await deliver("stripe", body, { "stripe-signature": `t=${t},v1=${v1}` }), 400, "unparsable");
  });

  test("bodies of 20 KB and 200 KB are stored completely", async () => {
    for (const size of [20_000, 200_000]) {
      const body = JSON.stringify({ id: freshId("evt"), filler: "é".repeat(size / 2) });
      expectReceived(await deliver("stripe", body, stripeSigned(body)));
    }
  });
});

describe("Standard Webhooks and its users", () => {
  test("a delivery signed by the project's own library is accepted, and its repeat is a duplicate", async () => {
    const id = freshId("msg");
    const body = event();
    expectReceived(await deliver("standard-webhooks", body, standardSigned(body, { id })));
    expectReceived(await deliver("standard-webhooks", body, standardSigned(body, { id })), true);
  });

  test("Svix' header names", async () => {
    const body = event();
    expectReceived(await deliver("svix", body, standardSigned(body, { secret: WEBHOOK_SECRETS.svix, prefix: "svix" })));
  });

  test("Polar's plain-text secret", async () => {
    const body = event();
    const secret = Buffer.from(WEBHOOK_SECRETS.polar).toString("base64");
    expectReceived(await deliver("polar", body, standardSigned(body, { secret })));
  });

  test.each<[string, (body: string) => Record<string, string>, string]>([
    ["no signature", () => ({ "webhook-id": "x", "webhook-timestamp": String(now()) }), "signature_missing"],
    [
      "another secret",
      (body) => standardSigned(body, { secret: "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" }),
      "signature_mismatch",
    ],
    ["another id", (body) => ({ ...standardSigned(body), "webhook-id": "other" }), "signature_mismatch"],
    ["no id", (body) => ({ ...standardSigned(body), "webhook-id": "" }), "signature_malformed"],
    [
      "an unknown scheme",
      (body) => ({ ...standardSigned(body), "webhook-signature": "v9,AAAA" }),
      "signature_scheme_unknown",
    ],
    ["a time long past", (body) => standardSigned(body, { at: new Date(Date.now() - 3_600_000) }), "timestamp_too_old"],
    ["a time to come", (body) => standardSigned(body, { at: new Date(Date.now() + 3_600_000) }), "timestamp_in_future"],
  ])("%s gets 400", async (_, headers, reason) => {
    const body = event();
    expectRefused(await deliver("standard-webhooks", body, headers(body)), 400, reason);
  });

  test("without a secret, an unsigned delivery gets 400, and a signed one 503 so that the provider retries", async () => {
    const body = event();
    expectRefused(await deliver("clerk", body, {}), 400, "signature_missing");
    const answer = await deliver("clerk", body, standardSigned(body, { prefix: "svix" }));
    expectRefused(answer, 503, "secret_not_configured");
    expect(answer.headers.get("retry-after")).toBeTruthy();
  });
});

describe("the response matrix", () => {
  test("an unknown provider", async () => {
    expect((await deliver("paypol", "{}", {})).status).toBe(404);
    expect((await deliver("constructor", "{}", {})).status).toBe(404);
  });

  test.each(["GET", "PUT", "PATCH", "DELETE", "HEAD"])("%s is not allowed", async (method) => {
    const answer = await deliver("stripe", "", {}, method);
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
  });

  test("other content types and encodings", async () => {
    const body = event();
    expectRefused(
      await deliver("stripe", body, { ...stripeSigned(body), "content-type": "text/plain" }),
      415,
      "content_type_unsupported",
    );
    expectRefused(
      await deliver("stripe", body, { ...stripeSigned(body), "content-encoding": "gzip" }),
      415,
      "content_type_unsupported",
    );
    const charset = { ...stripeSigned(body), "content-type": "application/json; charset=utf-8" };
    expectReceived(await deliver("stripe", body, charset));
  });

  test("more than 1 MiB, with and without Content-Length", async () => {
    const body = JSON.stringify({ id: freshId("evt"), filler: "x".repeat(1024 * 1024) });
    expectRefused(await deliver("stripe", body, stripeSigned(body)), 413, "payload_too_large");
  });

  test("SD-05 no session, token or trailing slash makes the guard intercept a delivery", async () => {
    const agent = await signIn(issuer, "introspect");
    const unsigned = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
    for (const path of ["/api/webhooks/stripe", "/api/webhooks/stripe/"]) {
      expect([path, (await send(issuer, path, unsigned)).status]).toEqual([path, 400]);
      expect((await agent.request(path, unsigned)).status).toBe(400);
    }
    expect((await deliver("stripe", "{}", { authorization: "Bearer garbage" })).status).toBe(400);
  });

  test.each([
    "/api/webhooks",
    "/api/webhooks/",
    "/api/webhooks-admin",
    "/api/webhooksX",
    "/api/webhooks/a/b",
    "/api/webhooks/../protected/me",
    "/api/webhooks/stripe%0a",
    "/api/webhooks%2Fstripe",
  ])("%s does not bypass the guard", async (path) => {
    const answer = await send(issuer, path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    expect([400, 401, 404, 405]).toContain(answer.status);
    expect(answer.headers.get("location")).toBeNull();
  });
});

describe("published vectors", () => {
  // Signed in 2021: over HTTP only the clock is wrong, so "too old" proves that the signature is valid.
  test("the Standard Webhooks project's own vector", async () => {
    const headers = {
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    };
    expectRefused(await deliver("standard-webhooks", '{"test": 2432232314}', headers), 400, "timestamp_too_old");
  });
});

describe("the delivery log", () => {
  let token: string;
  beforeAll(async () => {
    token = await consoleToken(issuer, "viewer");
  });

  type Row = {
    id: string;
    outcome: string;
    reason: string;
    status: number;
    eventId: string | null;
    eventType: string | null;
  };
  const listed = async (input: object) =>
    dataOf<{ items: Row[] }>(await query(issuer, "deliveries.list", { limit: 100, ...input }, token)).items;

  test("D14 accepted, repeated, unsigned and forged deliveries are recorded with their reasons", async () => {
    const id = freshId("evt_log");
    const body = event(id);
    await deliver("stripe", body, stripeSigned(body));
    await deliver("stripe", body, stripeSigned(body));
    expect((await listed({ eventId: id })).map(({ reason }) => reason)).toEqual(["duplicate", "accepted"]);

    for (const [headers, reason] of [
      [{}, "signature_missing"],
      [stripeSigned(body, { secret: "whsec_other" }), "signature_mismatch"],
    ] as const) {
      const answer = await deliver("stripe", body, headers);
      const rowId = answer.headers.get("gatehouse-delivery-id");
      const rows = await listed({ provider: "stripe", reason });
      expect(rows.find((row) => row.id === rowId)).toMatchObject({ outcome: "rejected", reason, status: 400 });
    }
  });

  test("the detail has the headers, except those that could hold a secret, and no payload for a viewer", async () => {
    const body = event();
    const headers = { ...stripeSigned(body), authorization: "Bearer very-secret", cookie: "a=very-secret" };
    const answer = await deliver("stripe", body, headers);
    const detail = await query(issuer, "deliveries.get", { id: answer.headers.get("gatehouse-delivery-id") }, token);
    expect(dataOf<{ payload: object }>(detail).payload).toMatchObject({ view: "hidden", content: null });
    expect(detail.text).toContain("stripe-signature");
    expect(detail.text).not.toContain("very-secret");
    expect(detail.text).not.toContain(WEBHOOK_SECRETS.stripe);
  });
});
