import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";

vi.resetModules(); // the timer for bodies is shared, and must not have been started before the clock is faked
const { BODY_SECONDS } = await import("@gatehouse/runtime");
const { register } = await import("../endpoints/register.ts");
const { token } = await import("../endpoints/token.ts");
const { read, scene } = await import("../testing/index.ts");
const { readText } = await import("./body.ts");
afterAll(() => void vi.resetModules());

type Body = ReadableStream<Uint8Array>;
const bytes = (text: string) => new TextEncoder().encode(text);
/** A body that sends this much and then nothing, for ever. */
const stalled = () => new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(bytes("a=")) });
const cutOff = () => new ReadableStream<Uint8Array>({ pull: () => Promise.reject(new Error("aborted")) });
const endless = () =>
  new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(new Uint8Array(10_000)) });

const posted = (body: Body | string, headers: Record<string, string> = {}) =>
  new Request("https://gate.example/token", { method: "POST", body, headers, duplex: "half" } as RequestInit);

beforeEach(() => void vi.useFakeTimers());
afterEach(async () => {
  await vi.advanceTimersByTimeAsync(1000); // the shared timer stops at its next tick
  vi.useRealTimers();
});

/** Lets the time for a body pass. */
async function outlast<T>(reading: Promise<T>): Promise<T> {
  const settled = reading.catch((error: unknown) => error as T);
  await vi.advanceTimersByTimeAsync(BODY_SECONDS * 1000);
  return settled;
}

describe("limits on reading a body, TK-10", () => {
  test("returns the text of a body, and leaves no timer behind", async () => {
    expect(await readText(posted("grüße"))).toBe("grüße");
    await vi.advanceTimersByTimeAsync(1000);
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each([
    ["announced", { "content-length": "70" }],
    ["in chunks", {}],
  ])("408 for a body that stalls, %s", async (_, headers) => {
    expect(await outlast(readText(posted(stalled(), headers)))).toMatchObject({
      status: 408,
      refusalCause: "body_late",
    });
  });

  test("413 for a body that is too large, with and without a declared length", async () => {
    const unread = new Request("https://gate.example/token", {
      method: "POST",
      body: cutOff(),
      duplex: "half",
    } as RequestInit);
    unread.headers.set("content-length", "65537");
    await expect(readText(unread)).rejects.toMatchObject({ status: 413 });
    await expect(readText(posted(endless()))).rejects.toMatchObject({ status: 413 });
    await expect(readText(posted("12345"), 4)).rejects.toMatchObject({ status: 413 });
  });

  test.each([
    ["announced", { "content-length": "70" }],
    ["in chunks", {}],
  ])("400 for a sender that disconnects, %s", async (_, headers) => {
    await expect(readText(posted(cutOff(), headers))).rejects.toMatchObject({
      status: 400,
      refusalCause: "body_unreadable",
    });
  });
});

describe("the endpoints report which limit was hit", () => {
  const s = scene();
  s.deps.config = { ...s.deps.config, registration: "open" };
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const json = { "content-type": "application/json" };

  test.each([
    ["/token", token, form],
    ["/register", register, json],
  ] as const)("%s: 408 with a closed connection, or 400", async (_, endpoint, headers) => {
    const late = await outlast(endpoint(posted(stalled(), headers), s.deps, s.caller));
    expect([late.status, late.headers.get("connection")]).toEqual([408, "close"]);
    expect((await read(await endpoint(posted(cutOff(), headers), s.deps, s.caller))).body["error_description"]).toBe(
      "The body ended early.",
    );
  });
});
