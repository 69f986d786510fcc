import { expect, test } from "vitest";
import { createTurns } from "./turns.ts";

const { signal } = new AbortController();
const LONG_MS = 60_000;

test("one caller has the turn at a time", async () => {
  const { take } = createTurns();
  const order: string[] = [];
  const work = async (name: string) => {
    const end = await take(LONG_MS, signal);
    order.push(`${name} begins`);
    await new Promise(setImmediate);
    order.push(`${name} ends`);
    end?.();
  };
  await Promise.all(["a", "b", "c"].map(work));
  expect(order).toEqual(["a", "b", "c"].flatMap((name) => [`${name} begins`, `${name} ends`]));
});

test("whose time is up, or whose signal is aborted, goes without a turn and blocks nobody", async () => {
  const { take } = createTurns();
  const end = await take(LONG_MS, signal);
  expect(await take(0, signal)).toBeUndefined();
  await expect(take(LONG_MS, AbortSignal.abort())).rejects.toMatchObject({ name: "AbortError" });
  end?.();
  expect(await take(0, signal)).toBeTypeOf("function");
});
