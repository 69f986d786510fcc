import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { EVENT_KEY_BYTES, eventKeyOf } from "./dedupe.ts";

const keyOf = (dedupeKey: string) => Buffer.from(eventKeyOf(dedupeKey));
const hashOf = (dedupeKey: string) => createHash("sha256").update(dedupeKey).digest().subarray(0, 16);

test.each([
  "id:evt_1",
  "staging:id:evt_1",
  "id:",
  "id:é→\u{1F4B8}",
  "id:\uD800",
  `body:${"x".repeat(43)}`,
  `text:${"_".repeat(300)}`,
])("OP-38: the key of %s has 16 bytes of its hash and always the same length", (dedupeKey) => {
  expect(keyOf(dedupeKey)).toHaveLength(EVENT_KEY_BYTES);
  expect(keyOf(dedupeKey).subarray(EVENT_KEY_BYTES - 16)).toEqual(hashOf(dedupeKey));
});

test("OP-38: events whose ids begin alike have keys of their own, and so has an event in each environment", () => {
  const keys = [
    "id:evt_12345678a",
    "id:evt_12345678b",
    "id:12345678a",
    "staging:id:evt_12345678a",
    "text:evt_12345678a",
  ].map(keyOf);
  expect(new Set(keys.map(String)).size).toBe(5);
});

test.each([
  ["Stripe", "id:evt_1MqqbKLt4dXK03v5qaIbiNCC", "id:evt_1NG8Du2eZvKYlo2CUI79vXWy", "id:evt_1PgafmB7WZ01zgkWlbVnVXHb"],
  [
    "Stripe in a sandbox",
    "staging:id:evt_1MqqbKLt4dXK03v5",
    "staging:id:evt_1NG8Du2eZvKYlo2C",
    "staging:id:evt_1PgafmB7WZ01zgkW",
  ],
  [
    "KSUIDs",
    "id:msg_2Lh9KRb0pzN4LePd3XiA4v12Axj",
    "id:msg_2b3yQ6Y6ZkYpAPjVxMmWGJ5XGZN",
    "id:msg_2wXcDPTDpBs0bTWmHcx5WvFRzkq",
  ],
  [
    "ULIDs",
    "id:evt_01h8bzakzx3hm2brnen547qtxy",
    "id:evt_01hmkz2v3w5x9r0n7q2c4b6d8f",
    "id:evt_01jx0000000000000000000000",
  ],
  [
    "UUIDv7",
    "id:018bcfe5-6800-7800-8000-000000000001",
    "id:0192d3a1-0000-7000-8000-000000000001",
    "id:0198aaaa-0000-7000-8000-000000000001",
  ],
])("ids of %s that follow each other in time have keys that follow each other", (_, ...dedupeKeys) => {
  const keys = dedupeKeys.map(keyOf);
  expect(keys.toSorted(Buffer.compare)).toEqual(keys);
});
