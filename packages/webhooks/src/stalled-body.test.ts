import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";

vi.resetModules(); // the timer for slow bodies is shared, and must not have been started before the clock is faked
const { BODY_SECONDS } = await import("@gatehouse/runtime");
const { enabled, receiver, STRIPE_SECRET } = await import("./testing/scene.ts");

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());
afterAll(() => void vi.resetModules());

test("a stalled body is rejected like an incomplete one, with its own message", async () => {
  const { send, store } = receiver({ stripe: enabled(STRIPE_SECRET) });
  const body = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(new Uint8Array([123])) });
  const answer = send("stripe", { body, headers: { "content-type": "application/json" } });
  await vi.advanceTimersByTimeAsync(BODY_SECONDS * 1000);
  expect((await answer).status).toBe(400);
  expect(await (await answer).text()).toContain("it took longer than 15 s to arrive");
  expect(store.deliveries).toMatchObject([{ reason: "unparsable", bodyBytes: null }]);
});
