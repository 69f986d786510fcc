import { expect, test } from "vitest";
import { defineHandlers, type HandlerSettings } from "../define.ts";
import { jobsOfEvent } from "./jobs-of-event.ts";

type OrderBy = NonNullable<HandlerSettings<unknown>["orderBy"]>;

/** The order key of an event of a handler with this `orderBy`. */
function keyOf(orderBy: OrderBy, payload: unknown = { account: "a" }): string | null | undefined {
  const handlers = defineHandlers({ svix: { "a.b": { run: async () => {}, orderBy } } });
  return jobsOfEvent(handlers, { provider: "svix", endpoint: "svix", type: "a.b", objectKey: "o", payload })[0]
    ?.orderKey;
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
