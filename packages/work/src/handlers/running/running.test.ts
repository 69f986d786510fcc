import { engines } from "@gatehouse/db/testing/engines";
import { afterEach, describe, expect, test } from "vitest";
import { PROCESS_ENDED } from "../../jobs/queue.ts";
import type { HandlerContext } from "../context.ts";
import { defineHandlers, type HandlerMap } from "../define.ts";
import { type Inbox, openInbox } from "../testing/inbox.ts";

const event = (id: string, type = "invoice.paid", more: object = {}) => ({
  id,
  type,
  created: 1_700_000_000,
  data: { object: { id: "in_1", ...more } },
});

describe.each(engines)("handlers on $name", (engine) => {
  let inbox: Inbox;
  afterEach(() => inbox.close());

  const open = async (stripe: NonNullable<HandlerMap["stripe"]>) => {
    inbox = await openInbox(engine, {
      handlers: defineHandlers({ stripe }),
      apiKey: "sk_test_1",
      settings: { apiBaseUrl: "https://api.example" },
    });
    return inbox;
  };

  /** A table of the test's own: how often an effect happened. */
  const effects = async () =>
    (await inbox.db.select().from(inbox.db.tables.installation)).filter(({ key }) => key.startsWith("effect"));
  const effect = ({ db, event }: HandlerContext, name = `effect ${event.id}`) =>
    db.insert(db.tables.installation).values({ key: name, value: "1" });

  test("run after the delivery is stored, once for each event, with its payload and facts", async () => {
    const seen: unknown[] = [];
    await open({
      async "invoice.paid"(payload, context) {
        seen.push([payload.data.object.id, await context.apiKey(), context.settings["apiBaseUrl"], context.event]);
      },
    });
    const delivery = await inbox.deliver(event("evt_1"));
    await inbox.deliver(event("evt_1"));
    await inbox.settle();
    const facts = {
      id: "evt_1",
      type: "invoice.paid",
      provider: "stripe",
      endpoint: "stripe",
      environment: "production",
      deliveryId: delivery,
    };
    expect(seen).toEqual([
      [
        "in_1",
        "sk_test_1",
        "https://api.example",
        expect.objectContaining({ ...facts, trigger: "initial", attempt: 1 }),
      ],
    ]);
    expect(await inbox.events()).toMatchObject([{ state: "handled", deliveryId: delivery }]);
    expect(await inbox.attempts()).toMatchObject([
      { handler: "invoice.paid", trigger: "initial", outcome: "ok", deliveryId: delivery, error: null },
    ]);
    expect(inbox.counted).toEqual(["stripe/ok"]);
  });

  test("a handler sees the provider's mark of live or test, whatever the environment", async () => {
    const seen: unknown[] = [];
    await open({
      async "invoice.paid"(_, context) {
        seen.push([context.event.id, context.event.environment, context.event.mode]);
      },
    });
    await inbox.deliver({ ...event("evt_1"), livemode: false });
    await inbox.deliver({ ...event("evt_2"), livemode: true });
    await inbox.deliver(event("evt_3"));
    await inbox.settle();
    expect(seen.sort()).toEqual([
      ["evt_1", "production", "test"],
      ["evt_2", "production", "live"],
      ["evt_3", "production", null],
    ]);
  });

  test("CO-53 an event keeps the environment that it arrived in, and no API key of the one that its endpoint is in today", async () => {
    const seen: unknown[] = [];
    await open({
      async "invoice.paid"(_, context) {
        seen.push([context.event.environment, await context.apiKey()]);
      },
    });
    await inbox.deliver(event("evt_1"));
    const { webhookDeliveries } = inbox.db.tables;
    await inbox.db.update(webhookDeliveries).set({ environment: "staging" }); // as if the endpoint had been in staging
    await inbox.settle();
    expect(seen).toEqual([["staging", undefined]]);
  });

  test("an event without a handler is stored, and has no job", async () => {
    await open({ "invoice.paid": async () => {} });
    await inbox.deliver(event("evt_1", "customer.created"));
    expect([await inbox.jobs(), await inbox.events()]).toMatchObject([[], [{ state: "stored" }]]);
  });

  test("an event is handled once each of its handlers has succeeded", async () => {
    let failures = 1;
    await open({
      "invoice.paid": async () => {},
      "*": async () => {
        if (failures-- > 0) throw new Error("not yet");
      },
    });
    await inbox.deliver(event("evt_1"));
    await inbox.settle();
    expect(await inbox.events()).toMatchObject([{ state: "handled" }]);
    const ended = (await inbox.attempts()).map(({ handler, trigger, outcome }) => `${handler} ${trigger} ${outcome}`);
    expect(ended.sort()).toEqual(["* automatic ok", "* initial error", "invoice.paid initial ok"]);
  });

  test("an event is handled although its handlers end at the same time", async () => {
    await open({ "invoice.paid": async () => {}, "*": async () => {} });
    for (let at = 0; at < 40; at++) await inbox.deliver(event(`evt_${at}`));
    await inbox.settle();
    expect((await inbox.events()).map(({ state }) => state)).toEqual(Array(40).fill("handled"));
  });

  test("an event is handled when the last handler that it waited for is no longer defined", async () => {
    await open({ "invoice.paid": async () => {}, "*": async () => {} });
    await inbox.deliver(event("evt_1"));
    inbox.define(defineHandlers({ stripe: { "invoice.paid": async () => {} } }));
    await inbox.settle();
    expect(await inbox.events()).toMatchObject([{ state: "handled" }]);
  });

  test("a run that fails after a person's run succeeded leaves the event handled", async () => {
    await open({
      "invoice.paid": {
        async run(_, { event: { id, deliveryId } }) {
          const { db } = inbox;
          const { tables } = db;
          const [row] = await db.select().from(tables.webhookEvents);
          const success = {
            endpoint: "stripe",
            eventKey: row?.key ?? Buffer.alloc(0),
            deliveryId,
            handler: "invoice.paid",
          };
          const run = {
            trigger: "manual" as const,
            startedAt: 1,
            ms: 1,
            outcome: "ok" as const,
            error: null,
            stack: null,
            actor: "Ada",
          };
          await db.insert(tables.webhookAttempts).values({ id: `0${id}`, ...success, ...run });
          await db.update(tables.webhookEvents).set({ state: "handled" });
          throw new Error("too late");
        },
      },
    });
    await inbox.deliver(event("evt_1"));
    await inbox.settle();
    expect(await inbox.events()).toMatchObject([{ state: "handled" }]);
    expect((await inbox.attempts()).map(({ outcome }) => outcome)).toEqual(["ok", "error"]);
  });

  test("OP-23 a handler whose process ended each time is not run once more, and its event is dead", async () => {
    let ran = 0;
    await open({ "invoice.paid": { maxAttempts: 3, run: async () => void ran++ } });
    await inbox.deliver(event("evt_1"));
    await inbox.db.update(inbox.db.tables.jobs).set({ attempts: 3, leaseToken: "a process that is gone" });
    await inbox.settle();
    expect(ran).toBe(0);
    expect(await inbox.events()).toMatchObject([{ state: "dead" }]);
    expect(await inbox.attempts()).toMatchObject([{ trigger: "automatic", outcome: "error", error: PROCESS_ENDED }]);
    expect(await inbox.jobs()).toMatchObject([
      { deadAt: expect.any(Number), lastError: `invoice.paid: ${PROCESS_ENDED}` },
    ]);
    expect(inbox.counted).toEqual(["stripe/dead"]);
  });

  test("OP-23 a handler that keeps failing is tried so often, then the event is dead, with error and stack", async () => {
    await open({
      "invoice.paid": {
        maxAttempts: 3,
        run: async () => {
          throw new TypeError(`no such plan ${"x".repeat(20_000)}`);
        },
      },
    });
    await inbox.deliver(event("evt_1"));
    await inbox.settle();
    expect(await inbox.events()).toMatchObject([{ state: "dead" }]);
    expect(await inbox.jobs()).toMatchObject([{ queue: "webhook", deadAt: expect.any(Number) }]);
    const attempts = await inbox.attempts();
    expect(attempts.map(({ trigger, outcome }) => `${trigger} ${outcome}`)).toEqual([
      "initial error",
      "automatic error",
      "automatic error",
    ]);
    expect(attempts[0]?.error).toMatch(/^TypeError: no such plan x+$/);
    expect((attempts[0]?.error?.length ?? 0) + (attempts[0]?.stack?.length ?? 0)).toBeLessThanOrEqual(9 * 1024 + 200);
    expect(inbox.counted).toEqual(["stripe/failed", "stripe/failed", "stripe/dead"]);
  });

  test("a run that takes too long has timed out, and its signal is aborted", async () => {
    let aborted = false;
    await open({
      "invoice.paid": {
        timeoutSeconds: 1,
        maxAttempts: 1,
        run: (_, { signal }) =>
          new Promise(() => {
            signal.addEventListener("abort", () => {
              aborted = true;
            });
          }),
      },
    });
    await inbox.deliver(event("evt_1"));
    await inbox.settle();
    expect(aborted).toBe(true);
    expect(await inbox.attempts()).toMatchObject([{ outcome: "timeout", error: "not done after 1 s" }]);
    expect(await inbox.events()).toMatchObject([{ state: "dead" }]);
  });

  test("OP-23 an effect behind once happens once, although the handler fails after it and runs again", async () => {
    const committed: boolean[] = [];
    await open({
      async "invoice.paid"(_, context) {
        committed.push(await context.once("count", [effect(context)]));
        if (context.event.attempt < 3) throw new Error("after the effect");
      },
    });
    await inbox.deliver(event("evt_1"));
    await inbox.settle();
    expect(committed).toEqual([true, false, false]);
    expect(await effects()).toHaveLength(1);
  });

  test("OP-23 an effect that fails leaves no mark, so the next run commits it", async () => {
    await open({
      async "invoice.paid"(_, context) {
        const clash = context.event.attempt === 1 ? [effect(context, "effect b")] : [];
        await context.once("count", [effect(context, "effect b"), ...clash]);
      },
    });
    await inbox.deliver(event("evt_1"));
    await inbox.settle();
    expect(await effects()).toHaveLength(1);
    expect((await inbox.attempts()).map(({ outcome }) => outcome)).toEqual(["error", "ok"]);
  });

  test("OP-23 a handler that has lost its job commits nothing", async () => {
    const outcome: unknown[] = [];
    await open({
      async "invoice.paid"(_, context) {
        if (context.event.attempt > 1) return;
        await inbox.db.update(inbox.db.tables.jobs).set({ leaseToken: "another worker", runAt: 0 });
        await context.once("count", [effect(context)]).catch((error: Error) => outcome.push(error.name));
      },
    });
    await inbox.deliver(event("evt_1"));
    await inbox.settle();
    expect(outcome).toEqual(["LostJob"]);
    expect(await effects()).toEqual([]);
    expect(await inbox.attempts()).toMatchObject([{ trigger: "automatic", outcome: "ok" }]);
  });

  test("events about one object run in the order of their arrival, even after a failure", async () => {
    const order: (string | null)[] = [];
    await open({
      "invoice.paid": {
        orderBy: "object",
        async run(_, { event: { id, attempt } }) {
          if (id === "evt_1" && attempt === 1) throw new Error("first");
          order.push(id);
        },
      },
    });
    for (let at = 1; at <= 5; at++) await inbox.deliver(event(`evt_${at}`));
    await inbox.settle();
    expect(order).toEqual(["evt_1", "evt_2", "evt_3", "evt_4", "evt_5"]);
  });

  test("a handler with a concurrency of its own runs so often at once, and holds up no other", async () => {
    let [running, most] = [0, 0];
    let others = 0;
    await open({
      "invoice.paid": {
        concurrency: 2,
        async run() {
          most = Math.max(most, ++running);
          await expect.poll(() => others, { timeout: 10_000, interval: 10 }).toBe(1);
          running -= 1;
        },
      },
      // Each waits for the other, so the result does not depend on which job is claimed first.
      async "customer.created"() {
        await expect.poll(() => most, { timeout: 10_000, interval: 10 }).toBe(2);
        others++;
      },
    });
    for (let at = 1; at <= 6; at++) await inbox.deliver(event(`evt_${at}`));
    await inbox.deliver(event("evt_7", "customer.created"));
    await inbox.settle();
    expect([most, others]).toEqual([2, 1]);
    expect((await inbox.events()).map(({ state }) => state)).toEqual(Array(7).fill("handled"));
  });
});
