import { describe, expect, test } from "vitest";
import { defineHandlers, type HandlerSettings } from "../define.ts";
import { jobsOfEvent } from "./jobs-of-event.ts";

type OrderBy = NonNullable<HandlerSettings<unknown>["orderBy"]>;

const EVENT = {
  provider: "svix",
  endpoint: "svix",
  environment: "staging",
  forward: undefined,
  type: "a.b",
  objectKey: null,
  payload: {},
} as const;

/** The order key of an event of a handler with this `orderBy`. */
function keyOf(orderBy: OrderBy, payload: unknown = { account: "a" }): string | null | undefined {
  const handlers = defineHandlers({ svix: { "a.b": { run: async () => {}, orderBy } } });
  return jobsOfEvent(handlers, { ...EVENT, objectKey: "o", payload })[0]?.orderKey;
}

test("events are in the order of what `orderBy` says", () => {
  expect([keyOf("object"), keyOf((payload) => Reflect.get(payload as object, "account"))]).toEqual([
    "svix/a.b/o",
    "svix/a.b/a",
  ]);
});

test.each<[string, unknown]>([
  ["throws", () => JSON.parse("{")],
  [
    "never ends",
    () => {
      for (;;) Math.random();
    },
  ],
  ["is async and rejects", async () => Promise.reject(new Error("nobody waits for this"))],
  ["returns no text", () => 7],
])("an `orderBy` that %s puts the event in no order, and does the server no harm", async (_, orderBy) => {
  const stray: unknown[] = [];
  const note = (cause: unknown) => void stray.push(cause);
  process.on("unhandledRejection", note);
  expect(keyOf(orderBy as OrderBy)).toBeNull();
  await new Promise(setImmediate);
  process.off("unhandledRejection", note);
  expect(stray).toEqual([]);
});

describe("forwarding, PK-56", () => {
  const none = defineHandlers({});
  const forward = (events: string[] | null) => ({ url: "https://app.example/hooks", events, secrets: [] });
  const forwarded = (events: string[] | null, type: string | null) =>
    jobsOfEvent(none, { ...EVENT, type, forward: forward(events) }).length === 1;

  test("an event of an endpoint that forwards has a job in the queue of its environment, beside those of its handlers", () => {
    const handlers = defineHandlers({ svix: { "a.b": async () => {} } });
    expect(jobsOfEvent(handlers, { ...EVENT, forward: forward(null) })).toEqual([
      { name: "a.b", orderKey: null, queue: "webhook" },
      { name: "@forward", orderKey: null, queue: "forward:staging" },
    ]);
  });

  test.each<[string[] | null, string | null, boolean]>([
    [null, "a.b", true],
    [null, null, true],
    [["a.b"], "a.b", true],
    [["a.b"], "a.b.c", false],
    [["a.*"], "a.b.c", true],
    [["a.*"], "b.a.c", false],
    [["*"], "a.b", true],
    [["a.b"], null, false],
  ])("with the events %j, an event of type %s is forwarded: %s", (events, type, expected) => {
    expect(forwarded(events, type)).toBe(expected);
  });

  test("no handler can have the name of forwarding", () => {
    expect(() => defineHandlers({ svix: { "@forward": async () => {} } })).toThrow(/reserved/);
  });
});
