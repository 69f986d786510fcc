import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { secondsToWait } from "./rate-limit.ts";

test("CO-94 a session that sends too much waits, for as long as it is told, and holds up nobody else", () => {
  const [busy, other] = [randomUUID(), randomUUID()];
  for (let call = 0; call < 400; call++) expect(secondsToWait(busy, 1, 0)).toBeUndefined();
  expect(secondsToWait(busy, 1, 0)).toBe(1);
  expect(secondsToWait(busy, 60, 0)).toBe(3);
  expect(secondsToWait(other, 20, 0)).toBeUndefined();

  expect(secondsToWait(busy, 20, 999)).toBe(1);
  expect(secondsToWait(busy, 20, 1000)).toBeUndefined();
});

test("CO-94 waiting saves up no more than one burst", () => {
  const session = randomUUID();
  expect(secondsToWait(session, 1, 0)).toBeUndefined();
  expect(secondsToWait(session, 400, 3_600_000)).toBeUndefined();
  expect(secondsToWait(session, 1, 3_600_000)).toBe(1);
});
