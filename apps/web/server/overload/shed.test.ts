import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { LightRequest } from "../node/light/request.ts";
import { LightResponse } from "../node/light/response.ts";
import { listen } from "../node/listen.ts";
import type { App } from "../start/app.ts";
import { startTestApp } from "../start/testing/test-app.ts";
import { load, shedReasonOf } from "./load.ts";
import { shed } from "./shed.tsx";

let app: App;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ app, close } = await startTestApp());
});
afterAll(() => close());
const before = { ...load, inFlight: 0 }; // test files share the process
beforeEach(() => void Object.assign(load, before));
afterAll(() => void Object.assign(load, before));

/** Far above the cap: bodies that other test files in this process left unfinished do not count. */
function shedAt(path: string, headers: Record<string, string> = {}) {
  Object.assign(load, { inFlight: 2_000, cap: 600, most: 600 });
  return shed(path, new Request(`https://id.example.com${path}`, { headers }), app);
}

describe("OP-31 what is shed gets 503 in the format of its endpoint", () => {
  test("a page for people, in their language, with nothing to click that would make it worse", async () => {
    const response = shedAt("/sign-in", { accept: "text/html", "accept-language": "de" });
    expect(response?.status).toBe(503);
    expect(response?.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response?.headers.get("content-security-policy")).toContain("default-src 'none'");
    const html = await response?.text();
    expect(html).toContain("Gerade ist zu viel los");
    expect(html).not.toContain('class="button"');
  });

  test.each(["/token", "/introspect", "/register", "/api/resource", "/api/webhooks/stripe"])(
    "JSON at %s",
    async (path) => {
      const response = shedAt(path);
      expect(response?.status).toBe(503);
      expect(await response?.json()).toEqual({
        error: "temporarily_unavailable",
        error_description: expect.any(String),
      });
      expect(response?.headers.get("access-control-allow-origin")).toBe(path.startsWith("/api/webhooks") ? null : "*");
    },
  );

  test("tRPC's own form at /trpc", async () => {
    const response = shedAt("/trpc/clients.list?batch=1");
    expect(response?.status).toBe(503);
    expect(await response?.json()).toMatchObject({ error: { data: { code: "SERVICE_UNAVAILABLE", httpStatus: 503 } } });
  });

  test("with a time to come back that differs from caller to caller", () => {
    const times = new Set(Array.from({ length: 200 }, () => Number(shedAt("/token")?.headers.get("retry-after"))));
    expect([...times].every((seconds) => seconds >= 2 && seconds <= 10)).toBe(true);
    expect(times.size).toBeGreaterThan(3);
  });

  test("OP-70 health never", () => {
    expect(shedAt("/healthz")).toBeUndefined();
    expect(shedAt("/readyz")).toBeUndefined();
  });
});

describe("OP-31 which requests are in flight", () => {
  async function serve(handle: (request: LightRequest) => Promise<LightResponse>) {
    const listener = async (incoming: never, outgoing: never) =>
      (await handle(new LightRequest(incoming, "http://a"))).writeTo(outgoing, {});
    const [server] = await listen(listener as never, {
      hosts: ["127.0.0.1"],
      port: 0,
      issuer: "http://a",
      trustedProxies: undefined,
    });
    if (!server) throw new Error("not listening");
    return { server, port: (server.address() as AddressInfo).port };
  }

  test("one that is being answered is, and no longer when it failed or is answered", async () => {
    let finish: (response: LightResponse) => void = () => {};
    const { server, port } = await serve(() => new Promise((resolve) => (finish = resolve)));
    const asked = fetch(`http://127.0.0.1:${port}/`);
    await expect.poll(() => load.inFlight).toBe(1);
    finish(new LightResponse("done"));
    expect(await (await asked).text()).toBe("done");
    await expect.poll(() => load.inFlight).toBe(0);
    server.close();
  });

  test("bodies that do not arrive are none, so that few senders cannot fill the cap", async () => {
    const { server, port } = await serve(async (request) => new LightResponse(await request.text()));
    Object.assign(load, { cap: 3, most: 3 });
    const sockets = Array.from({ length: 20 }, () => {
      const socket = connect(port, "127.0.0.1");
      socket.write("POST /token HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n1");
      return socket;
    });
    await expect.poll(() => load.inFlight).toBe(20);
    expect(shedReasonOf("token")).toBeUndefined();
    const [first] = sockets;
    first?.end("2345");
    await once(first as NonNullable<typeof first>, "data");
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => load.inFlight).toBe(0);
    server.close();
  });

  test("open event streams are none", async () => {
    const stream = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(": hi\n\n")),
    });
    const headers = { "content-type": "text/event-stream" };
    const { server, port } = await serve(async () => new LightResponse(stream as never, { headers }));
    const leaving = new AbortController();
    const response = await fetch(`http://127.0.0.1:${port}/`, { signal: leaving.signal });
    await response.body?.getReader().read();
    expect(load.inFlight).toBe(0);
    leaving.abort();
    server.closeAllConnections();
    await once(server.close(), "close");
    await expect.poll(() => load.inFlight).toBe(0);
  });
});
