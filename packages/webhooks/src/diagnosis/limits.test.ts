import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { candidate, diagnoseCase, OTHER, SECRET } from "../testing/diagnosis.ts";
import { NOW } from "../testing/scene.ts";
import type { DeliveryToDiagnose } from "./diagnose.ts";
import { MAX_VERIFICATIONS } from "./trials.ts";

const staging = candidate("stripe-staging", [OTHER], { environment: "staging" });

describe("CO-53 why a timestamp was rejected", () => {
  test.each<[number, string, string]>([
    [NOW - 720, "clock", "The delivery was signed 12 min before it arrived. 5 min are allowed."],
    [NOW + 3600, "clock", "The delivery was signed 1 h after it arrived by this server's clock. 5 min are allowed."],
    [NOW * 1000, "milliseconds", "The timestamp is in milliseconds, and this provider's is in seconds."],
  ])("signed at %i: %s", async (timestamp, kind, sentence) => {
    const reason = timestamp < NOW ? "timestamp_too_old" : "timestamp_in_future";
    expect((await diagnoseCase({ timestamp, reason })).findings).toMatchObject([{ kind, sentence }]);
  });
});

describe("CO-53 why there was no signature", () => {
  test("the headers are those of another provider", async () => {
    const headers = () => ({
      "svix-id": "msg_1",
      "svix-timestamp": String(NOW),
      "svix-signature": `v1,${Buffer.alloc(32).toString("base64")}`,
    });
    const { findings } = await diagnoseCase({ headers, reason: "signature_missing" });
    expect(findings).toMatchObject([
      { kind: "other_provider", sentence: "The delivery has the svix-signature header, as Svix and Clerk send it." },
    ]);
  });

  test("nothing is said about an unsigned request", async () => {
    expect((await diagnoseCase({ headers: () => ({}), reason: "signature_missing" })).findings).toEqual([]);
  });
});

describe("CO-53 the limits of a diagnosis", () => {
  test.each<[string, Partial<DeliveryToDiagnose>]>([
    ["cut at 4 KiB", { bodyBytes: 9000 }],
    ["not read to its end", { bodyBytes: null }],
    ["deleted", { body: null }],
  ])("a body that is %s is not tried, and the diagnosis says so", async (_, stored) => {
    expect(await diagnoseCase({ secret: OTHER, others: [staging], stored })).toMatchObject({
      findings: [],
      limit: "body_not_whole",
      verifications: 0,
    });
  });

  test("a thousand other secrets cost 200 verifications, and the diagnosis says so", async () => {
    const others = Array.from({ length: 100 }, (_, at) =>
      candidate(
        `stripe-${at}`,
        Array.from({ length: 10 }, (__, secret) => `whsec_${at}_${secret}`),
      ),
    );
    const diagnosis = await diagnoseCase({ secret: "whsec_stranger", others });
    expect(diagnosis).toMatchObject({ findings: [], limit: "too_many", verifications: MAX_VERIFICATIONS });
  });

  test("a small compressed body that grows without end is not decompressed", async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    expect(await diagnoseCase({ arrived: bomb })).toMatchObject({ findings: [], limit: null });
  });

  test("another reason, and a provider that this release no longer has, have no findings", async () => {
    expect((await diagnoseCase({ reason: "secret_not_configured" })).findings).toEqual([]);
    const gone = candidate("gone", [SECRET], { provider: "gone" });
    expect((await diagnoseCase({ own: gone })).findings).toEqual([]);
  });
});
