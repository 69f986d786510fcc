import { siteKey, subjectKey } from "@gatehouse/runtime";
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

const ADA = subjectKey("account", "ada");

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
      }, ADA),
    );
    await Promise.resolve();
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
    const running = queue.run(first.run, ADA);
    const waiting = queue.run(async () => "second", ADA);
    await expect(queue.run(async () => "third", ADA)).rejects.toMatchObject({
      status: 503,
      refusalCause: "passwords_busy",
      headers: { "Retry-After": "2" },
    });
    first.end();
    await running;
    expect(await waiting).toBe("second");
  });

  test("OP-89 whether there is a place is known before a job is run, and an asker with fewer waiting jobs has one", async () => {
    const queue = createHashQueue({ concurrency: 1, waiting: 2 });
    const first = job();
    const running = queue.run(first.run, ADA);
    expect(() => queue.demandPlace(ADA)).not.toThrow();
    const waiting = [queue.run(async () => {}, ADA), queue.run(async () => {}, ADA)];
    await expect(settled(new Promise(() => queue.demandPlace(ADA)))).resolves.toBe("busy");
    expect(() => queue.demandPlace(siteKey({ address: "192.0.2.1" }))).not.toThrow();
    first.end();
    await Promise.all([running, ...waiting]);
    expect(() => queue.demandPlace(ADA)).not.toThrow();
  });

  test("a job that waited too long is refused, and never runs", async () => {
    const queue = createHashQueue({ concurrency: 1, waitMs: 1 });
    const first = job();
    const running = queue.run(first.run, ADA);
    let ran = false;
    expect(
      await settled(
        queue.run(async () => {
          ran = true;
        }, ADA),
      ),
    ).toBe("busy");
    first.end();
    await running;
    expect([ran, await queue.run(async () => "free again", ADA)]).toEqual([false, "free again"]);
  });

  test("a permit is free again after a job that fails", async () => {
    const queue = createHashQueue({ concurrency: 1 });
    const failing = job();
    const failed = settled(queue.run(failing.run, ADA));
    failing.end(new Error("out of memory"));
    expect(await failed).toBe("failed");
    expect(await queue.run(async () => "next", ADA)).toBe("next");
  });

  test("AB-03 a network that fills the queue keeps nobody else out, and delays them by one job", async () => {
    const queue = createHashQueue({ concurrency: 1, waiting: 4 });
    const order: string[] = [];
    const from = (name: string, asker: typeof ADA) => settled(queue.run(async () => void order.push(name), asker));
    const [first, eve] = [job(), siteKey({ address: "192.0.2.66" })];
    const running = queue.run(first.run, eve);
    const attacks = Array.from({ length: 5 }, (_, at) => from(`eve ${at}`, eve));
    const others = [from("bob", siteKey({ address: "198.51.100.7" })), from("ada", ADA)];
    first.end();
    await running;
    expect(await Promise.all(others)).toEqual(["done", "done"]);
    expect(await Promise.all(attacks)).toEqual(["done", "done", "busy", "busy", "busy"]);
    expect(order).toEqual(["eve 0", "bob", "ada", "eve 1"]);
  });
});
