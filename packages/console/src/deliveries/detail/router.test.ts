import { randomBytes } from "node:crypto";
import { sha256 } from "@gatehouse/auth";
import { bodyDeletion } from "@gatehouse/db/stores/webhooks/delivery-body";
import { setEventState } from "@gatehouse/db/stores/webhooks/handler-runs";
import { createWebhookStore } from "@gatehouse/db/stores/webhooks/store";
import { engines } from "@gatehouse/db/testing/engines";
import { receive } from "@gatehouse/webhooks";
import { stripeHeaders, UNREACHABLE_PROVIDERS } from "@gatehouse/webhooks/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ADMIN, type Installation, ISSUER, NOON, openInstallation } from "../../testing/callers.ts";
import { configureEndpoint } from "../../webhook-endpoints/configure.ts";
import { bodiesFor, createDeliveryStreams, recordTail } from "../stream/stream.ts";
import { findDeliveryDetail } from "./queries.ts";

const SECRET = "whsec_test_0123456789";
const BODY = JSON.stringify({
  id: "evt_1",
  type: "invoice.paid",
  data: { object: { id: "in_1", amount: 4200, email: "jenny@example.com" } },
});
const ENVIRONMENTS = ["development", "production"] as const;
const endpointOf = (environment: (typeof ENVIRONMENTS)[number]) =>
  environment === "production" ? "stripe" : "stripe-dev";

describe.each(engines)("a delivery, on $name", (engine) => {
  let it: Installation;
  /** The id of an accepted delivery of `BODY` in each environment. */
  let accepted: Record<(typeof ENVIRONMENTS)[number], string>;
  let elapsedMs = 0;

  /** Sends a delivery as Stripe does, and returns its id. */
  async function deliver(
    endpoint: string,
    body: string,
    {
      secret = SECRET,
      headers = {},
      handlers = [],
    }: { secret?: string; headers?: Record<string, string>; handlers?: string[] } = {},
  ) {
    const { deps } = it;
    const receiver = {
      store: createWebhookStore(deps.db, deps.seal, deps.now),
      outbound: UNREACHABLE_PROVIDERS,
      baseUrl: ISSUER,
      now: deps.now,
      nowMs: () => NOON * 1000 + elapsedMs++,
      random: randomBytes,
      handlersFor: () => handlers.map((name) => ({ name, orderKey: null, queue: "webhook" })),
    };
    const signed = stripeHeaders(body, secret, NOON - 2);
    const request = new Request(`${ISSUER}/api/webhooks/${endpoint}`, {
      method: "POST",
      body,
      headers: { ...signed, ...headers },
    });
    const response = await receive(request, endpoint, receiver, { address: "203.0.113.77" });
    return response.headers.get("gatehouse-delivery-id") ?? "";
  }
  const auditRows = async () =>
    (await it.deps.db.select().from(it.deps.db.tables.audit)).sort((a, b) => (a.id < b.id ? -1 : 1));

  beforeAll(async () => {
    it = await openInstallation(engine);
    const { db, seal } = it.deps;
    const secrets = [{ secret: "whsec_older_1111" }, { secret: SECRET, name: "Live" }];
    await configureEndpoint({ provider: "stripe", secrets }, ADMIN, it.deps);
    const { webhookEndpoints, webhookSecrets } = db.tables;
    const development = {
      slug: "stripe-dev",
      provider: "stripe",
      environment: "development",
      settings: {},
      createdAt: NOON,
    } as const;
    await db.insert(webhookEndpoints).values(development);
    const secret = {
      kind: "signing",
      sealed: seal.seal("webhook secret", SECRET),
      hint: "6789",
      createdAt: NOON,
    } as const;
    const [known] = await db.select().from(webhookSecrets);
    if (!known) throw new Error("there is no secret");
    await db.insert(webhookSecrets).values({ ...known, ...secret, id: "dev", endpoint: "stripe-dev", name: "Dev" });
    accepted = {
      production: await deliver("stripe", BODY, { headers: { "x-forwarded-for": "203.0.113.77" } }),
      development: await deliver("stripe-dev", BODY),
    };
  });
  afterAll(() => it.close());

  const code = (call: Promise<unknown>) =>
    call.then(
      () => "OK",
      (error: { code?: string }) => error.code,
    );

  /**
   * What a reader who resumes before the first deliveries gets: the environments, and whether their bodies are there.
   */
  async function streamed(
    role: "admin" | "developer",
    { freshSince, passed = 0 }: { freshSince: number; passed?: number },
  ) {
    const now = () => NOON + passed;
    const { reads } = it.deps;
    const streams = createDeliveryStreams({ reads, now, onError: (error) => expect.unreachable(String(error)) });
    const { revealed } = bodiesFor({ role, freshSince }, now());
    const stream = await streams.open({ userId: role, filter: {}, revealed, lastId: accepted.production });
    const found: Record<string, boolean> = {};
    for await (const { id, environment, body } of stream?.deliveries ?? []) {
      if (Object.values(accepted).includes(id)) found[environment] = body !== null;
      if (Object.keys(found).length === 2) break;
    }
    streams.close();
    return found;
  }

  test("CO-56 CO-88 a stream has bodies of production only after a fresh sign-in of an admin, and none that are older than a few minutes", async () => {
    expect(await streamed("admin", { freshSince: NOON - 60 })).toEqual({ production: true, development: true });
    expect(await streamed("admin", { freshSince: NOON - 601 })).toEqual({ production: false, development: true });
    expect(await streamed("developer", { freshSince: NOON })).toEqual({ production: false, development: true });
    expect(await streamed("admin", { freshSince: NOON + 300, passed: 301 })).toEqual({
      production: false,
      development: true,
    });
    expect(bodiesFor({ role: "admin", freshSince: NOON - 601 }, NOON)).toEqual({
      revealed: ["development", "staging"],
      stale: ["production"],
    });
  });

  test("CO-56 the row of a stream names its environments and where it begins", async () => {
    const reader = { filter: { endpoint: "stripe" }, revealed: ["production"], lastId: accepted.production } as const;
    await recordTail(ADMIN, reader, it.deps);
    expect((await auditRows()).findLast(({ action }) => action === "webhook.tail")).toMatchObject({
      object: "stripe",
      environment: "production",
      detail: { endpoint: "stripe", environments: ["production"], from: NOON - 20 },
    });
  });

  test("an unknown one is not found", async () => {
    const { get, attempts, related } = it.as("viewer").deliveries;
    for (const procedure of [get, attempts, related])
      expect(await code(procedure({ id: "nowhere" }))).toBe("NOT_FOUND");
  });

  test.each([
    ["admin", "production", { view: "masked", canReveal: true }, "OK", "OK", "203.0.113.77"],
    ["admin", "development", { view: "shown", canReveal: false }, "OK", "OK", "203.0.113.77"],
    ["developer", "production", { view: "masked", canReveal: false }, "FORBIDDEN", "FORBIDDEN", "203.0.113.0/24"],
    ["developer", "development", { view: "shown", canReveal: false }, "OK", "OK", "203.0.113.0/24"],
    ["viewer", "production", { view: "hidden", canReveal: false }, "FORBIDDEN", "FORBIDDEN", "203.0.113.0/24"],
    ["viewer", "development", { view: "hidden", canReveal: false }, "FORBIDDEN", "FORBIDDEN", "203.0.113.0/24"],
  ] as const)(
    "CO-02 %s in %s: payload %j, reveal %s, curl %s, address %s",
    async (role, environment, payload, reveal, curl, address) => {
      const { deliveries } = it.as(role);
      const id = accepted[environment];
      const delivery = await deliveries.get({ id });
      expect(delivery).toMatchObject({ environment, endpoint: endpointOf(environment), payload, address });
      const text = JSON.stringify(delivery);
      expect([text.includes("4200"), text.includes("jenny")]).toEqual([
        payload.view === "shown",
        payload.view === "shown",
      ]);
      expect(text.includes("203.0.113.77")).toBe(role === "admin");
      expect([await code(deliveries.reveal({ id })), await code(deliveries.curl({ id }))]).toEqual([reveal, curl]);
    },
  );

  test.each([
    ["admin", "production", { allowed: true, reason: null }],
    ["developer", "production", { allowed: false, reason: "Only admins can run handlers again in production." }],
    ["developer", "development", { allowed: true, reason: null }],
    ["viewer", "development", { allowed: false, reason: null }],
  ] as const)("CO-56 %s in %s may run it again: %j", async (role, environment, rerun) => {
    expect(await it.as(role).deliveries.get({ id: accepted[environment] })).toMatchObject({ rerun });
  });

  test("an access token without webhooks:reveal sees no payload", async () => {
    const delivery = await it.as("admin", ["webhooks:read"]).deliveries.get({ id: accepted.development });
    expect(delivery).toMatchObject({
      payload: { view: "hidden", content: null },
      rerun: { allowed: false, reason: null },
    });
  });

  test("a masked payload has the names and no value", async () => {
    const { payload } = await it.as("developer").deliveries.get({ id: accepted.production });
    expect(JSON.parse(payload.content?.text ?? "")).toMatchObject({
      id: "•••",
      data: { object: { id: "•••", amount: "•••", email: "•••" } },
    });
  });

  test("CO-56 CO-88 revealing needs a fresh sign-in and leaves an audit row; a refused one leaves none", async () => {
    const id = accepted.production;
    const before = (await auditRows()).length;
    expect(await code(it.as("admin", undefined, { authTime: NOON - 3600 }).deliveries.reveal({ id }))).toBe(
      "UNAUTHORIZED",
    );
    expect(await code(it.as("admin", undefined, { authTime: NOON - 3600 }).deliveries.curl({ id }))).toBe(
      "UNAUTHORIZED",
    );
    expect(await code(it.as("developer").deliveries.reveal({ id }))).toBe("FORBIDDEN");
    expect(await auditRows()).toHaveLength(before);

    expect(await it.as("admin").deliveries.reveal({ id })).toEqual({ text: BODY, encoding: "utf8" });
    expect((await auditRows()).slice(before)).toMatchObject([
      {
        action: "webhook.reveal",
        object: id,
        actorId: "admin",
        via: "console",
        environment: "production",
        detail: { endpoint: "stripe" },
      },
    ]);
  });

  describe("CO-53 its payload is deleted", () => {
    const bodyOf = (id: string) =>
      JSON.stringify({ id, type: "invoice.paid", data: { object: { id: "in_9", email: "jenny@example.com" } } });
    const storedBody = async (id: string) => (await findDeliveryDetail(it.deps.db, id))?.delivery.body ?? null;
    const rowsAbout = async (id: string) => (await auditRows()).filter(({ object }) => object === id);

    test("CO-88 by those who may, after a fresh sign-in, for good and with an audit row; it says who did it, and what is impossible now", async () => {
      const id = await deliver("stripe", bodyOf("evt_deleted"));
      const deletionFor = async (role: "admin" | "developer" | "viewer") =>
        (await it.as(role).deliveries.get({ id })).payload.deletion;
      expect(await deletionFor("admin")).toEqual({ allowed: true, reason: null });
      expect(await deletionFor("developer")).toEqual({
        allowed: false,
        reason: "Only admins can delete payloads of production.",
      });
      expect(await deletionFor("viewer")).toEqual({ allowed: false, reason: null });
      const stale = it.as("admin", undefined, { authTime: NOON - 3600 });
      expect(await code(stale.deliveries.deletePayload({ id }))).toBe("UNAUTHORIZED");
      expect(await code(it.as("developer").deliveries.deletePayload({ id }))).toBe("FORBIDDEN");
      expect(await code(it.as("viewer").deliveries.deletePayload({ id }))).toBe("FORBIDDEN");
      expect([(await storedBody(id))?.toString(), await rowsAbout(id)]).toEqual([bodyOf("evt_deleted"), []]);

      await it.as("admin").deliveries.deletePayload({ id });
      expect(await storedBody(id)).toBeNull();
      expect(await rowsAbout(id)).toMatchObject([
        { action: "webhook.delete_body", actorId: "admin", objectName: "stripe", environment: "production" },
      ]);
      const { payload, rerun, eventId, signature } = await it.as("admin").deliveries.get({ id });
      expect(payload).toEqual({
        view: "removed",
        content: null,
        truncated: false,
        canReveal: false,
        deletion: { allowed: false, reason: null },
        deleted: { at: it.clock.now, by: "admin" },
      });
      expect([eventId, signature.secrets.length]).toEqual(["evt_deleted", 2]);
      expect(rerun).toEqual({
        allowed: false,
        reason: "The payload is deleted, so there is nothing to run the handlers with.",
      });
      const { reveal, rerun: runAgain, curl, deletePayload } = it.as("admin").deliveries;
      expect(await Promise.all([reveal, runAgain, deletePayload].map((call) => code(call({ id }))))).toEqual([
        "NOT_FOUND",
        "CONFLICT",
        "CONFLICT",
      ]);
      expect(await curl({ id })).toEqual({ problem: "The payload is deleted." });
      expect(await rowsAbout(id)).toHaveLength(1);
    });

    test("and its event is still known: a repeat is a duplicate, with a payload of its own", async () => {
      const first = await deliver("stripe-dev", bodyOf("evt_repeated"));
      await it.as("developer").deliveries.deletePayload({ id: first });
      const repeat = await it
        .as("developer")
        .deliveries.get({ id: await deliver("stripe-dev", bodyOf("evt_repeated")) });
      expect(repeat).toMatchObject({
        outcome: "duplicate",
        payload: { view: "shown" },
        event: { firstDeliveryId: first },
      });
    });

    test("only once no handler has to read it any more", async () => {
      const id = await deliver("stripe-dev", bodyOf("evt_waiting"), { handlers: ["book"] });
      const reason =
        "Handlers still have to read it. Wait until the event is handled, or has failed for the last time.";
      const { get, deletePayload } = it.as("developer").deliveries;
      expect((await get({ id })).payload.deletion).toEqual({ allowed: false, reason });
      const refused = deletePayload({ id });
      await expect(refused).rejects.toMatchObject({ code: "CONFLICT", message: reason });
      expect([(await storedBody(id)) === null, await rowsAbout(id)]).toEqual([false, []]);

      const { db } = it.deps;
      const eventKey = (await findDeliveryDetail(db, id))?.delivery.eventKey ?? expect.fail("it brought no event");
      const set = (state: "failed" | "dead") =>
        db.transaction([setEventState(db, { endpoint: "stripe-dev", eventKey }, state)]);
      await set("failed");
      expect(await code(deletePayload({ id }))).toBe("CONFLICT");
      await set("dead");
      await deletePayload({ id });
      expect(await storedBody(id)).toBeNull();
    });

    test("by retention, nobody did it", async () => {
      const id = await deliver("stripe-dev", bodyOf("evt_aged"));
      await it.deps.db.transaction([bodyDeletion(it.deps.db, id)]);
      expect((await it.as("viewer").deliveries.get({ id })).payload).toMatchObject({ view: "removed", deleted: null });
    });
  });

  test("as a curl command, it is signed with a test secret and never with a real one, and audited", async () => {
    const before = (await auditRows()).length;
    const found = await it.as("admin").deliveries.curl({ id: accepted.production });
    if ("problem" in found) throw new Error(found.problem);
    expect(found.command).toContain("http://localhost:3000/api/webhooks/stripe");
    expect(found.command).toContain(stripeHeaders(BODY, found.secret, NOON)["stripe-signature"]);
    expect(found.command).not.toContain(SECRET);
    expect((await auditRows()).slice(before)).toMatchObject([{ action: "webhook.reveal", detail: { as: "curl" } }]);
    await it.as("developer").deliveries.curl({ id: accepted.development });
    expect(await auditRows()).toHaveLength(before + 2);
  });

  test("a rejected delivery with a truncated body cannot be a curl command, and says so", async () => {
    const id = await deliver("stripe-dev", `{"id":"${"x".repeat(9000)}"}`, { secret: "whsec_wrong" });
    const delivery = await it.as("admin").deliveries.get({ id });
    expect(delivery).toMatchObject({
      outcome: "rejected",
      event: null,
      payload: { truncated: true },
      rerun: { allowed: false, reason: null },
    });
    expect(await it.as("admin").deliveries.curl({ id })).toEqual({ problem: expect.stringContaining("beginning") });
  });

  test("the signature names the secrets that were tried, which one matched, and the clock", async () => {
    const { signature } = await it.as("viewer").deliveries.get({ id: accepted.production });
    expect(signature).toMatchObject({
      algorithms: ["HMAC-SHA256"],
      signedAt: NOON - 2,
      skewSeconds: -2,
      toleranceSeconds: 300,
      problem: null,
    });
    expect(signature.secrets.map(({ name, hint, result }) => [name, hint, result]).sort()).toEqual(
      [
        ["Live", "6789", "matched"],
        [null, "111", expect.stringMatching(/no_match|not_tried/)],
      ].sort(),
    );
    const forged = await it
      .as("viewer")
      .deliveries.get({ id: await deliver("stripe", BODY, { secret: "whsec_wrong" }) });
    expect(forged.signature.secrets.map(({ result }) => result)).toEqual(["no_match", "no_match"]);
    const unsigned = await it
      .as("viewer")
      .deliveries.get({ id: await deliver("stripe", BODY, { headers: { "stripe-signature": "t=1,v0=ab" } }) });
    expect(unsigned.signature).toMatchObject({
      problem: "it has only v0",
      secrets: [{ result: "not_tried" }, { result: "not_tried" }],
    });
    expect(JSON.stringify([signature, forged, unsigned])).not.toContain(SECRET);
  });

  test("the provider's mark of live or test is said, and whether it contradicts the environment", async () => {
    const modeAt = async (endpoint: string, livemode?: boolean) => {
      const id = await deliver(
        endpoint,
        JSON.stringify({ id: `evt_${endpoint}_${livemode}`, type: "invoice.paid", livemode }),
      );
      const { mode, modeContradicts } = await it.as("viewer").deliveries.get({ id });
      return [mode, modeContradicts];
    };
    expect(await modeAt("stripe", false)).toEqual(["test", true]);
    expect(await modeAt("stripe", true)).toEqual(["live", false]);
    expect(await modeAt("stripe-dev", true)).toEqual(["live", true]);
    expect(await modeAt("stripe-dev", false)).toEqual(["test", false]);
    expect(await modeAt("stripe")).toEqual([null, false]);
    const forged = await deliver("stripe", '{"livemode":false}', { secret: "whsec_wrong" });
    expect(await it.as("viewer").deliveries.get({ id: forged })).toMatchObject({
      mode: "test",
      modeContradicts: false,
    });
    const { items } = await it.as("viewer").deliveries.list({ limit: 100 });
    expect(items.filter((item) => item.modeContradicts).map(({ endpoint, mode }) => [endpoint, mode])).toEqual([
      ["stripe-dev", "live"],
      ["stripe", "test"],
    ]);
  });

  test("the time has milliseconds, and bytes that are not text are base64", async () => {
    const delivery = await it.as("admin").deliveries.get({ id: accepted.production });
    expect(Math.floor(delivery.receivedAtMs / 1000)).toBe(NOON);
    const { db } = it.deps;
    const found = await findDeliveryDetail(db, accepted.development);
    if (!found) throw new Error("there is no delivery");
    const stored = { ...found.delivery, id: "binary", body: Buffer.from([0xff, 0]) };
    await db.insert(db.tables.webhookDeliveries).values([stored, { ...stored, id: "removed", body: null }]);
    expect((await it.as("developer").deliveries.get({ id: "binary" })).payload.content).toEqual({
      text: "/wA=",
      encoding: "base64",
    });
    expect((await it.as("developer").deliveries.get({ id: "removed" })).payload).toMatchObject({
      view: "removed",
      content: null,
    });
    expect(await code(it.as("developer").deliveries.reveal({ id: "removed" }))).toBe("NOT_FOUND");
  });

  describe("why a delivery was rejected", () => {
    const DEV_ONLY = "whsec_dev_only_2222";

    test("names the other environment whose secret signed it, shows no secret, and says what the provider does next", async () => {
      const { db, seal } = it.deps;
      const { webhookSecrets } = db.tables;
      const [known] = await db.select().from(webhookSecrets);
      if (!known) throw new Error("there is no secret");
      const change = { id: "only", endpoint: "stripe-dev", name: "Dev only", hint: "2222", hash: sha256(DEV_ONLY) };
      await db.insert(webhookSecrets).values({ ...known, ...change, sealed: seal.seal("webhook secret", DEV_ONLY) });

      const id = await deliver("stripe", '{"id":"evt_lost","type":"invoice.paid"}', { secret: DEV_ONLY });
      const diagnosis = await it.as("viewer").deliveries.diagnose({ id });
      expect(diagnosis).toMatchObject({
        findings: [{ kind: "other_environment_secret" }],
        limit: null,
        accepted: null,
      });
      expect(diagnosis.findings[0]?.sentence).toContain("“Dev only” (…2222)");
      expect(diagnosis.retries.join(" ")).toContain("Stripe retries for another 3 d");
      expect(JSON.stringify(diagnosis)).not.toContain(DEV_ONLY);
    });

    test("finds the line break after a configured secret", async () => {
      const id = await deliver("stripe", BODY, { secret: `${SECRET}\n` });
      expect(await it.as("viewer").deliveries.diagnose({ id })).toMatchObject({
        findings: [{ kind: "trailing_whitespace" }],
      });
    });

    test("an event that was accepted in another delivery is not lost, and no retry is promised", async () => {
      const id = await deliver("stripe", BODY, { secret: "whsec_stranger" });
      const { findings, accepted: later, retries } = await it.as("viewer").deliveries.diagnose({ id });
      expect({ findings, later, retries }).toEqual({
        findings: [],
        later: { deliveryId: accepted.production, receivedAt: NOON },
        retries: [],
      });
    });

    test("is nothing for an accepted one, and no promise of a retry for what the provider probably did not send", async () => {
      expect(await it.as("viewer").deliveries.diagnose({ id: accepted.production })).toMatchObject({
        findings: [],
        retries: [],
      });
      const unsigned = await deliver("stripe", "{}", { headers: { "stripe-signature": "" } });
      expect(await it.as("viewer").deliveries.diagnose({ id: unsigned })).toMatchObject({ retries: [] });
    });
  });

  describe("attempts", () => {
    const attempt = (id: string, change: object) => ({
      id,
      endpoint: "stripe",
      handler: "invoice.paid",
      trigger: "initial" as const,
      startedAt: NOON,
      ms: 12,
      outcome: "error" as const,
      error: "no customer jenny",
      stack: "at handler.ts:1",
      actor: null,
      ...change,
    });

    test("show each handler's state, what is planned, and errors to those who may see payloads", async () => {
      const { db } = it.deps;
      const { webhookAttempts, jobs } = db.tables;
      const deliveryId = accepted.production;
      const eventKey = (await findDeliveryDetail(db, deliveryId))?.delivery.eventKey;
      if (!eventKey) throw new Error("the delivery has no event");
      await db.insert(webhookAttempts).values([
        { ...attempt("t1", {}), deliveryId, eventKey },
        { ...attempt("t2", { handler: "*", outcome: "ok", error: null, stack: null }), deliveryId, eventKey },
      ]);
      const payload = {
        endpoint: "stripe",
        deliveryId,
        eventKey: eventKey.toString("base64url"),
        handler: "invoice.paid",
      };
      await db
        .insert(jobs)
        .values({ id: `${deliveryId}-0-0`, queue: "webhook", payload, runAt: NOON + 30, attempts: 1, createdAt: NOON });

      const seen = await it.as("developer").deliveries.attempts({ id: deliveryId });
      expect(seen.handlers).toEqual([
        { kind: "handler", handler: "invoice.paid", event: null, state: "retrying", nextAt: NOON + 30 },
        { kind: "handler", handler: "*", event: null, state: "handled", nextAt: null },
      ]);
      expect(seen.attempts.map(({ id, error, stack }) => [id, error, stack])).toEqual([
        ["t2", null, null],
        ["t1", "no customer jenny", "at handler.ts:1"],
      ]);
      const duplicate = await deliver("stripe", BODY);
      expect((await it.as("viewer").deliveries.attempts({ id: duplicate })).attempts).toMatchObject([
        { id: "t2" },
        { id: "t1", error: null, stack: null },
      ]);
      const withoutPayloads = it.as("developer", ["webhooks:read"]).deliveries;
      expect((await withoutPayloads.attempts({ id: deliveryId })).attempts).toMatchObject([
        { id: "t2" },
        { id: "t1", error: null },
      ]);
    });

    test("are none for a rejected delivery", async () => {
      const id = await deliver("stripe", BODY, { secret: "whsec_wrong" });
      expect(await it.as("viewer").deliveries.attempts({ id })).toEqual({
        state: null,
        handlers: [],
        attempts: [],
        more: false,
      });
    });
  });

  test("related are the event's deliveries here and at other endpoints, and events about the same object", async () => {
    const repeat = await deliver("stripe-dev", BODY);
    const later = await deliver(
      "stripe-dev",
      JSON.stringify({ id: "evt_2", type: "invoice.voided", data: { object: { id: "in_1" } } }),
    );
    await deliver(
      "stripe-dev",
      JSON.stringify({ id: "evt_3", type: "invoice.paid", data: { object: { id: "in_2" } } }),
    );
    const related = await it.as("viewer").deliveries.related({ id: repeat });
    expect(related.deliveries.map(({ id, outcome }) => [id, outcome])).toEqual([
      [accepted.development, "accepted"],
      [repeat, "duplicate"],
    ]);
    expect(related.elsewhere.map(({ id, endpoint }) => [id, endpoint])).toEqual([[accepted.production, "stripe"]]);
    expect(related).toMatchObject({ object: "in_1", complete: true, explanation: expect.stringContaining("Stripe") });
    expect(related.sameObject.map(({ id }) => id)).toEqual([later]);
    expect(JSON.stringify(related)).not.toContain("jenny");
  });
});
