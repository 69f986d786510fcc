import { expect, test } from "vitest";
import { createRandom } from "./random.ts";

test("N1 as many bytes as asked for, and never the same ones twice, also where the pool is refilled", () => {
  const random = createRandom();
  const drawn = Array.from({ length: 1000 }, () => Buffer.from(random(32)).toString("hex"));
  expect(new Set(drawn).size).toBe(1000);
  expect(drawn.every((hex) => hex.length === 64 && !/^(00){8}/.test(hex))).toBe(true);
  expect(random(10_000)).toHaveLength(10_000);
});

test("what was handed out does not change with what is drawn later", () => {
  const random = createRandom();
  const first = random(32);
  const copy = [...first];
  for (let more = 0; more < 1000; more++) random(32);
  expect([...first]).toEqual(copy);
});
