import { afterEach, describe, expect, test, vi } from "vitest";
import { parseBounded } from "./body.ts";
import type { Adapter } from "./providers/adapter.ts";
import { PROVIDERS, type ProviderSlug } from "./providers/index.ts";
import { sampleBody } from "./samples.ts";
import { FIXTURES } from "./testing/fixtures.ts";
import { enabled, NOW, receiver } from "./testing/scene.ts";

const MEBIBYTE = 1024 * 1024;
const padded = (text: string) => text.padEnd(MEBIBYTE, " ");

/** A mebibyte each; the last one takes a fifth of a second to parse. */
const BODIES: [string, string][] = [
  ["nested brackets", "[".repeat(MEBIBYTE / 2) + "]".repeat(MEBIBYTE / 2)],
  ["brackets that are never closed", "[".repeat(MEBIBYTE)],
  [
    "brackets inside a batch with a signature",
    padded(`{"notificationItems":[{"hmacSignature":${"[".repeat(400_000)}${"]".repeat(400_000)}}]}`),
  ],
  ["empty objects", padded(`[${"{},".repeat(300_000)}0]`)],
  ["members of different names", padded(`{${Array.from({ length: 80_000 }, (_, at) => `"k${at}":0`).join()}}`)],
];

describe.each(Object.keys(PROVIDERS) as ProviderSlug[])(
  "a body that nobody signed is not parsed whole: %s",
  (provider) => {
    const adapter: Adapter = PROVIDERS[provider];
    const { secret, settings = {}, sign = adapter.sign, outbound } = FIXTURES[provider];
    afterEach(() => void vi.restoreAllMocks());

    test.each(BODIES)("a mebibyte of %s", async (_, body) => {
      const [type = ""] = Object.keys(adapter.samples);
      const sample = sampleBody(adapter, type, "evt_1") ?? new Uint8Array();
      const url = `https://gatehouse.test/api/webhooks/${provider}`;
      const genuine = sign({ body: sample, type, id: "evt_1", secret, timestamp: NOW, url, settings });
      if ("problem" in genuine) throw new Error(genuine.problem);
      const configured = { ...enabled(secret), settings: provider === "mollie" ? { fetchBack: true } : settings };
      const { send, store } = receiver({ [provider]: configured }, outbound && { outbound });

      const parse = vi.spyOn(JSON, "parse");
      await send(provider, { body, headers: { "content-type": adapter.contentTypes[0] ?? "" } });
      await send(provider, { body, headers: genuine.headers });
      expect(store.deliveries.map(({ outcome }) => outcome)).toEqual(["rejected", "rejected"]);
      for (const [text] of parse.mock.calls) expect(text.length).toBeLessThanOrEqual(64 * 1024);
    });
  },
);

describe("JSON with its signature inside", () => {
  const bounds = { depth: 2, values: 4 };
  const parsed = (text: string) => parseBounded(Buffer.from(text), bounds)?.payload;

  test.each(["[[1]]", '{"a":{"b":1},"c":2}', '"[[[["', '["\\"[[[[,,,,,,"]', '["\\\\",[]]'])(
    "%s is within the bounds",
    (text) => {
      expect(parsed(text)).toEqual(JSON.parse(text));
    },
  );

  test.each(["[[[1]]]", "[1,2,3,4,5]", '{"a":{"b":{}}}', '["\\\\",[[]]]', "["])("%s is not, or is no JSON", (text) => {
    expect(parsed(text)).toBeUndefined();
  });
});
