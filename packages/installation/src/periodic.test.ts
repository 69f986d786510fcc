import { expect, test, vi } from "vitest";
import { createPeriodic } from "./periodic.ts";

test("OP-72 after a stop no work starts, and running work is awaited", async () => {
  const reported: string[] = [];
  const periodic = createPeriodic((_, failure) => reported.push(failure));
  let finish = () => {};
  let begun = 0;
  const work = () => {
    begun += 1;
    return new Promise<void>((resolve) => {
      finish = resolve;
    });
  };
  vi.useFakeTimers();
  periodic.every(1000, work, "it failed");
  vi.advanceTimersByTime(1000);
  periodic.stop();
  vi.advanceTimersByTime(5000);
  periodic.run(work, "it failed");
  vi.useRealTimers();
  expect(begun).toBe(1);

  let settled = false;
  const waiting = periodic.settled().then(() => {
    settled = true;
  });
  await Promise.resolve();
  expect(settled).toBe(false);
  finish();
  await waiting;
  expect(reported).toEqual([]);
});

test("work that fails is reported, and does not end the process", async () => {
  const reported: unknown[] = [];
  const periodic = createPeriodic((...failure) => reported.push(failure));
  const error = new Error("no");
  periodic.run(() => Promise.reject(error), "it failed");
  await periodic.settled();
  expect(reported).toEqual([[error, "it failed"]]);
});
