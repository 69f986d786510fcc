import type { Stripe } from "stripe";
import { describe, expect, expectTypeOf, test } from "vitest";
import { defineHandlers, type HandlerMap } from "./define.ts";
import type { KnownEvents } from "./events.ts";

const run = async () => {};

describe("defineHandlers", () => {
  test("a payload has the type of its event (checked by tsc)", () => {
    expectTypeOf<KnownEvents["stripe"]["invoice.paid"]["data"]["object"]>().toEqualTypeOf<Stripe.Invoice>();
    expectTypeOf<
      KnownEvents["stripe"]["customer.subscription.deleted"]["data"]["object"]
    >().toEqualTypeOf<Stripe.Subscription>();
    expectTypeOf<KnownEvents["github"]["issues.opened"]["issue"]["title"]>().toEqualTypeOf<string>();
    expectTypeOf<KnownEvents["github"]["push"]["ref"]>().toEqualTypeOf<string>();
    expectTypeOf<KnownEvents["clerk"]["user.created"]["data"]["id"]>().toEqualTypeOf<string>();
    expectTypeOf<KnownEvents["polar"]["order.paid"]["data"]["id"]>().toEqualTypeOf<string>();
    expectTypeOf<KnownEvents["paddle"]["transaction.paid"]["data"]["id"]>().toEqualTypeOf<string>();
    expectTypeOf<NonNullable<HandlerMap["svix"]>>().toExtend<Record<string, unknown>>();
  });

  test("a misspelt event of a vendor with types does not compile (checked by tsc)", () => {
    // @ts-expect-error stripe has no event of this name
    defineHandlers({ stripe: { "invoice.payed": run } });
    // @ts-expect-error github has no event of this name
    defineHandlers({ github: { "issues.opend": run } });
    // @ts-expect-error clerk has no event of this name
    defineHandlers({ clerk: { "user.create": run } });
    // @ts-expect-error polar has no event of this name
    defineHandlers({ polar: { "order.payed": run } });
    // @ts-expect-error paddle has no event of this name
    defineHandlers({ paddle: { "transaction.payed": run } });
    // @ts-expect-error there is no provider of this name
    defineHandlers({ strip: { "invoice.paid": run } });
    defineHandlers({ svix: { "anything.at_all": run } });
  });

  test("the handler of a type and the one of all types both handle an event", () => {
    const handlers = defineHandlers({ stripe: { "invoice.paid": run, "*": run } });
    const names = (type: string | null) => handlers.of("stripe", type).map(({ name }) => name);
    expect(names("invoice.paid")).toEqual(["invoice.paid", "*"]);
    expect([names("invoice.voided"), names(null), names("*")]).toEqual([["*"], ["*"], ["*"]]);
    expect(handlers.of("svix", "invoice.paid")).toEqual([]);
  });

  test("no inherited name is a handler", () => {
    const handlers = defineHandlers({ svix: { "a.b": run } });
    expect(handlers.of("svix", "constructor")).toEqual([]);
    expect(handlers.of("constructor", "a.b")).toEqual([]);
  });

  test.each([
    ["timeoutSeconds", 0],
    ["timeoutSeconds", 301],
    ["maxAttempts", 1.5],
    ["concurrency", 0],
  ])("%s %d is out of bounds", (field, value) => {
    expect(() => defineHandlers({ svix: { "a.b": { run, [field]: value } } })).toThrow(
      `The handler svix a.b: ${field}`,
    );
  });
});
