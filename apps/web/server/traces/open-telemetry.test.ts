import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { TraceSettings } from "@gatehouse/installation";
import pino from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startOpenTelemetry } from "./open-telemetry.ts";

// That spans of requests arrive is held by e2e/http/traces.test.ts.

let receiver: Server;
let received: number;
let status: number;
beforeEach(async () => {
  [received, status] = [0, 200];
  receiver = createServer((incoming, outgoing) => {
    incoming.resume().once("end", () => {
      received += 1;
      outgoing.writeHead(status).end("{}");
    });
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
});
afterEach(() => {
  receiver.closeAllConnections();
  receiver.close();
});

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const traceparent = (flags: string) => `00-${TRACE}-00f067aa0ba902b7-${flags}`;

/** The SDK with a sampler that traces what a proxy traces, and a log in memory. */
function start(change: Partial<TraceSettings> = {}) {
  const lines: { level: number; msg: string }[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const settings: TraceSettings = {
    url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/v1/traces`,
    headers: {},
    sampler: { name: "parentbased_traceidratio", share: 0 },
    serviceName: "gatehouse",
    attributes: {},
    ...change,
  };
  return { lines, ...startOpenTelemetry(settings, { version: "0.0.0", log }) };
}

function request({ tracing }: ReturnType<typeof start>, headers: Record<string, string>): Record<string, string> {
  tracing.request({ method: "GET", headers, beganMs: performance.now() }, () => {
    tracing.worked("hash", "hash a password", performance.now(), {});
    tracing.requestEnded("/healthz", "GET", 200);
  });
  return headers;
}

describe("OP-76 OpenTelemetry", () => {
  test("a request that is not sampled leaves no trace, and one that the proxy traces names its own span from then on", async () => {
    const it = start();
    expect(request(it, {})).toEqual({});
    expect(request(it, { traceparent: traceparent("00") })).toEqual({ traceparent: traceparent("00") });
    await it.close();
    expect(received).toBe(0);

    const other = start();
    const headers = request(other, { traceparent: traceparent("01") });
    expect(headers["traceparent"]).toMatch(new RegExp(`^00-${TRACE}-(?!00f067aa0ba902b7)[\\da-f]{16}-01$`));
    await other.close();
    expect(received).toBe(1);
  });

  test.each(["", "00-4bf9-00f0-01", `${traceparent("01")}-more`])(
    "the header %j is nobody's trace, so a new one begins",
    async (sent) => {
      const it = start({ sampler: { name: "always_on", share: 1 } });
      expect(request(it, { traceparent: sent })["traceparent"]).not.toContain(TRACE);
      await it.close();
    },
  );

  test("a job is a trace, and fails as without one", async () => {
    const it = start({ sampler: { name: "always_on", share: 1 } });
    await expect(it.tracing.job("mail", () => Promise.reject(new Error("down")))).rejects.toThrow("down");
    await it.close();
    expect(received).toBe(1);
  });

  test("a receiver that refuses is logged once, and no work fails", async () => {
    status = 401;
    process.env["OTEL_BSP_SCHEDULE_DELAY"] = "1";
    const it = start();
    delete process.env["OTEL_BSP_SCHEDULE_DELAY"];
    for (const batch of [1, 2, 3]) {
      request(it, { traceparent: traceparent("01") });
      await expect.poll(() => received).toBe(batch);
    }
    const seen = () => it.lines.map(({ level, msg }) => [level, msg]);
    await expect.poll(seen).toEqual([[40, "traces cannot be sent, and are lost until they can"]]);
    status = 200;
    request(it, { traceparent: traceparent("01") });
    await expect.poll(() => seen().at(-1)).toEqual([30, "traces are sent again"]);
    await it.close();
  });

  test("a receiver that never answers does not hold the end of the process", async () => {
    receiver.removeAllListeners("request");
    const it = start();
    request(it, { traceparent: traceparent("01") });
    await it.close();
    expect(it.lines).toEqual([]);
  });
});
