import { describe, expect, test } from "vitest";
import { createHashQueue, isHasherBusy } from "./hash-queue.ts";

/** A job that ends when the test says so. */
function job() {
  let end = (_error?: Error) => {};
  const done = new Promise<void>((resolve, reject) => {
    end = (error) => (error ? reject(error) : resolve());
  });
  return { run: () => done, end: (error?: Error) => end(error) };
}

const settled = (promise: Promise<unknown>) =>
  promise.then(
    () => "done",
    (error: unknown) => (isHasherBusy(error) ? "busy" : "failed"),
  );

describe("PW-06 passwords that are hashed at once", () => {
  test("no more jobs run than the limit; the next one starts when one ends, in order", async () => {
    const queue = createHashQueue({ concurrency: 2 });
    const started: number[] = [];
    const jobs = [job(), job(), job(), job()];
    const runs = jobs.map(({ run }, at) =>
      queue.run(() => {
        started.push(at);
        return run();
      }),
    );
    await Promise.resolve();
    expect(started).toEqual([0, 1]);
    for (const [at, { end }] of jobs.entries()) {
      end();
      await runs[at];
    }
    expect(started).toEqual([0, 1, 2, 3]);
  });

  test("a job beyond the queue is refused with 503 and Retry-After, and the rest goes on", async () => {
    const queue = createHashQueue({ concurrency: 1, waiting: 1 });
    const first = job();
    const running = queue.run(first.run);
    const waiting = queue.run(async () => "second");
    await expect(queue.run(async () => "third")).rejects.toMatchObject({
      status: 503,
      refusalCause: "passwords_busy",
      headers: { "Retry-After": "2" },
    });
    first.end();
    await running;
    expect(await waiting).toBe("second");
  });

  test("a job that waited too long is refused, and never runs", async () => {
    const queue = createHashQueue({ concurrency: 1, waitMs: 1 });
    const first = job();
    const running = queue.run(first.run);
    let ran = false;
    expect(
      await settled(
        queue.run(async () => {
          ran = true;
        }),
      ),
    ).toBe("busy");
    first.end();
    await running;
    expect([ran, await queue.run(async () => "free again")]).toEqual([false, "free again"]);
  });

  test("a permit is free again after a job that fails", async () => {
    const queue = createHashQueue({ concurrency: 1 });
    const failing = job();
    const failed = settled(queue.run(failing.run));
    failing.end(new Error("out of memory"));
    expect(await failed).toBe("failed");
    expect(await queue.run(async () => "next")).toBe("next");
  });
});
