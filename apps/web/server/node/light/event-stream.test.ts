import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { send } from "../convert.ts";
import { LightResponse } from "./response.ts";

/** Resolved with the reason when the stream of the last request is canceled. */
let canceled: Promise<unknown>;
let push: (text: string) => void = () => {};

const server = createServer(async (_, outgoing) => {
  let cancel: (reason: unknown) => void;
  canceled = new Promise((resolve) => {
    cancel = resolve;
  });
  const encoder = new TextEncoder();
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      push = (text) => controller.enqueue(encoder.encode(text));
    },
    cancel: (reason) => cancel(reason ?? "canceled"),
  });
  const response = new LightResponse(stream as unknown as BodyInit, {
    headers: { "content-type": "text/event-stream" },
  });
  await send(response, outgoing, { "x-content-type-options": "nosniff" });
});
const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

test("server-sent events leave one by one, and a client that goes away cancels their stream", async () => {
  const leave = new AbortController();
  const answer = await fetch(address(), { signal: leave.signal });
  expect([answer.headers.get("content-length"), answer.headers.get("x-content-type-options")]).toEqual([
    null,
    "nosniff",
  ]);
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (const text of ["data: one\n\n", "data: two\n\n"]) {
    push(text);
    expect(await reader?.read()).toEqual({ done: false, value: text });
  }
  leave.abort();
  await expect(canceled).resolves.toBeDefined();
});
