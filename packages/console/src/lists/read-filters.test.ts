import { describe, expect, expectTypeOf, test } from "vitest";
import { DELIVERY_FILTERS, type DeliveryFilter, USER_FILTERS } from "./lists.ts";
import { readFilters } from "./read-filters.ts";

describe("filters from a URL", () => {
  const read = (query: string) => readFilters(DELIVERY_FILTERS, (name) => new URLSearchParams(query).get(name));

  test("are passed on, times as numbers", () => {
    const query = "provider=stripe&outcome=rejected&reason=signature_missing&eventType=a&eventId=evt_1&from=1&to=2";
    expect(read(query)).toStrictEqual({
      provider: "stripe",
      outcome: "rejected",
      reason: "signature_missing",
      eventType: "a",
      eventId: "evt_1",
      from: 1,
      to: 2,
    });
    expectTypeOf(read(query)).toEqualTypeOf<DeliveryFilter>();
  });

  test("are left out where they are not valid, so that a bad link still opens the list", () => {
    expect(read("outcome=toString&reason=no&from=yesterday&to=-1&eventId=&unknown=1")).toStrictEqual({});
    expect(readFilters(USER_FILTERS, () => undefined)).toStrictEqual({});
  });

  test("lose control characters and surrounding spaces, and are cut to the length that the procedure accepts", () => {
    expect(read("provider=%00%20stripe%0A")).toStrictEqual({ provider: "stripe" });
    expect(read(`provider=${"a".repeat(100)}`)).toStrictEqual({ provider: "a".repeat(64) });
    expect(read(`provider=${"a".repeat(63)}${encodeURIComponent("😀")}`)).toStrictEqual({ provider: "a".repeat(63) });
  });
});
