import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { mintDeliveryId } from "./delivery-id.ts";

const at = (unixMs: number) => mintDeliveryId(unixMs, randomBytes);

test("is a UUID of version 7", () => {
  expect(at(1_700_000_000_000.5)).toMatch(/^018bcfe5-6800-7800-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test("sorts by time, even within a millisecond", () => {
  const times = [
    1_700_000_000_000, 1_700_000_000_000.25, 1_700_000_000_000.5, 1_700_000_000_001, 1_700_000_001_000,
    1_800_000_000_000,
  ];
  const ids = times.map(at);
  expect(ids.toSorted()).toEqual(ids);
});

test("differs for two deliveries at the same instant", () => {
  expect(at(5)).not.toBe(at(5));
});
