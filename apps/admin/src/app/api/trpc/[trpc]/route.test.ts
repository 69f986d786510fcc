import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { NextRequest } from "next/server";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

vi.resetModules(); // the console reads its environment once
const { POST } = await import("./route.ts");
const { tokensCookie } = await import("@/session/cookies.ts");

const LIMIT = 256 * 1024;
const KEY = "only-for-tests-0123456789-0123456789";

const JSON_TYPE = { "content-type": "application/json" };

describe("the body of a request to /api/trpc, CO-94", () => {
  let server: Server;
  let cookie: string;
  const received: number[] = [];

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      let length = 0;
      for await (const chunk of request) length += chunk.length;
      received.push(length);
      response.setHeader("content-type", "application/json").end("{}");
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    vi.stubEnv("GATEHOUSE_ISSUER", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    vi.stubEnv("GATEHOUSE_CONSOLE_CLIENT_SECRET", KEY);
    vi.stubEnv("GATEHOUSE_CONSOLE_COOKIE_KEY", KEY);
    const { name, value } = await tokensCookie({ accessToken: "gat_x", refreshToken: null, expiresAt: 4_000_000_000 });
    cookie = `${name}=${value}`;
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    vi.resetModules();
    server.close();
  });

  /** `body` with its length announced, or as a stream without one. */
  async function send(length: number, { announced }: { announced: boolean }): Promise<number> {
    let sent = 0;
    const chunks = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent >= length) return controller.close();
        const chunk = new Uint8Array(Math.min(64 * 1024, length - sent)).fill(32);
        sent += chunk.byteLength;
        controller.enqueue(chunk);
      },
    });
    const headers = {
      ...JSON_TYPE,
      cookie,
      "sec-fetch-site": "same-origin",
      ...(announced && { "content-length": String(length) }),
    };
    const init = { method: "POST", headers, body: chunks, duplex: "half" } as const;
    const response = await POST(new NextRequest("http://localhost:3001/api/trpc/me.get", init), {
      params: Promise.resolve({ trpc: "me.get" }),
    });
    expect(sent).toBeLessThanOrEqual(LIMIT + 3 * 64 * 1024); // stopped reading; a stream reads a few chunks ahead
    return response.status;
  }

  test.each([{ announced: true }, { announced: false }])(
    "is forwarded up to 256 KiB, length announced: $announced",
    async (how) => {
      expect(await send(LIMIT, how)).toBe(200);
      expect(received.at(-1)).toBe(LIMIT);
    },
  );

  test.each<[string, Record<string, string>, number]>([
    ["JSON", { "content-type": "Application/JSON; charset=utf-8" }, 200],
    ["a form", { "content-type": "application/x-www-form-urlencoded" }, 415],
    ["a form with files", { "content-type": "multipart/form-data; boundary=x" }, 415],
    ["text", { "content-type": "text/plain" }, 415],
    ["text that names JSON", { "content-type": "text/plain; application/json" }, 415],
    ["JSON beside something else", { "content-type": "text/plain, application/json" }, 415],
    ["bytes of no type", {}, 415],
  ])("SE-09 is forwarded as JSON alone: %s", async (_, type, status) => {
    const before = received.length;
    const headers = { cookie, "sec-fetch-site": "same-origin", ...type };
    const request = new NextRequest("http://localhost:3001/api/trpc/me.get", {
      method: "POST",
      headers,
      body: Buffer.from("{}"),
    });
    expect((await POST(request, { params: Promise.resolve({ trpc: "me.get" }) })).status).toBe(status);
    expect(received.length - before).toBe(status === 200 ? 1 : 0);
  });

  test.each([{ announced: true }, { announced: false }])("gets 413 beyond that, unread: $announced", async (how) => {
    const before = received.length;
    expect(await send(100 * LIMIT, how)).toBe(413);
    expect(received).toHaveLength(before);
  });
});
