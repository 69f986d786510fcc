import { expect, test } from "vitest";
import { mintRequestId } from "./request-id.ts";

test("OP-77 a request id is a UUIDv7 with the time of the request", () => {
  const id = mintRequestId(0x0123456789ab);
  expect(id).toMatch(/^01234567-89ab-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(mintRequestId(1_800_000_000_000) < mintRequestId(1_800_000_000_001)).toBe(true);
});

test("OP-77 no request id comes twice, also when the random bytes run out", () => {
  const ids = Array.from({ length: 5_000 }, () => mintRequestId(1_800_000_000_000));
  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(ids.map((id) => id.at(-1))).size).toBe(16);
});
