import { describe, expect, test } from "vitest";
import { sampleBody } from "../samples.ts";
import { FIXTURES } from "../testing/fixtures.ts";
import { enabled, NOW, receiver, type Sent } from "../testing/scene.ts";
import type { Adapter } from "./adapter.ts";
import { PROVIDERS, type ProviderSlug } from "./index.ts";

const MEBIBYTE = 1024 * 1024;
const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

describe.each(Object.keys(PROVIDERS) as ProviderSlug[])("hostile deliveries: %s", (provider) => {
  const adapter: Adapter = PROVIDERS[provider];
  const fixture = FIXTURES[provider];
  const { secret, settings = {}, signatureHeader } = fixture;
  const [type = ""] = Object.keys(adapter.samples);
  const sample = new Uint8Array(sampleBody(adapter, type, "evt_1") ?? []);
  const { statuses } = adapter.answers ?? {};

  type Signed = { headers: Record<string, string>; body: Uint8Array<ArrayBuffer> };

  function signed(body: Uint8Array = sample, change: { secret?: string; timestamp?: number } = {}): Signed {
    const url = `https://gatehouse.test/api/webhooks/${provider}`;
    const message = { body, type, id: "evt_1", secret, timestamp: NOW, url, settings, ...change };
    const result = (fixture.sign ?? adapter.sign)(message);
    if ("problem" in result) throw new Error(result.problem);
    return { headers: result.headers, body: new Uint8Array(result.body) };
  }

  /** The status and reason of one delivery to an endpoint with the secret of the fixture, or with others. */
  async function outcome(sent: Sent, secrets: readonly string[] = [secret]) {
    const configured = Object.assign(enabled(...secrets), { settings });
    const scene = receiver({ [provider]: configured }, fixture.outbound && { outbound: fixture.outbound });
    const { status } = await scene.send(provider, sent);
    expect(scene.reported).toEqual([]);
    const [row] = scene.store.deliveries;
    expect(row?.status).toBe(status);
    return { status, reason: row?.reason };
  }

  const refused = (reason: "signature_mismatch" | "signature_malformed") => ({
    status: statuses?.[reason] ?? 400,
    reason,
  });
  /** Not accepted, and the sender's fault. */
  async function expectRefusal(sent: Sent) {
    const { status, reason } = await outcome(sent);
    expect({ reason, refused: status === 400 || status === 401 }).toEqual({
      reason: expect.any(String),
      refused: true,
    });
  }

  test.each(Object.keys(adapter.samples))(
    "a genuine %s is accepted once, with its type, and then is a duplicate",
    async (sampleType) => {
      const body = sampleBody(adapter, sampleType, "evt_7") ?? new Uint8Array();
      const configured = Object.assign(enabled(secret), { settings });
      const scene = receiver({ [provider]: configured }, fixture.outbound && { outbound: fixture.outbound });
      const url = `https://gatehouse.test/api/webhooks/${provider}`;
      const message = { body, type: sampleType, id: "evt_7", secret, timestamp: NOW, url, settings };
      const result = (fixture.sign ?? adapter.sign)(message);
      if ("problem" in result) throw new Error(result.problem);
      const sent = { headers: result.headers, body: new Uint8Array(result.body) };
      for (const reason of ["accepted", "duplicate"]) {
        expect((await scene.send(provider, sent)).status).toBe(200);
        expect(scene.store.deliveries.at(-1)).toMatchObject({ reason, eventType: sampleType });
      }
      expect(scene.store.deliveries[0]?.eventId !== null).toBe(adapter.facts.dedupe === "provider_id");
    },
  );

  test("an altered byte → signature_mismatch", async () => {
    const { headers, body } = signed();
    const altered = encode((fixture.tamper ?? ((text) => `${text} `))(decode(body)));
    expect(altered).not.toEqual(body);
    expect(await outcome({ headers, body: altered })).toEqual(refused("signature_mismatch"));
  });

  test("another secret → signature_mismatch", async () => {
    expect(await outcome(signed(sample, { secret: fixture.otherSecret }))).toEqual(refused("signature_mismatch"));
  });

  test("either of two active secrets verifies", async () => {
    expect(await outcome(signed(), [fixture.otherSecret, secret])).toEqual({ status: 200, reason: "accepted" });
  });

  test.each([[[]], [[""]], [[" \n"]]])(
    "without a usable secret (%j), unsigned → 400 signature_missing, signed → 503 secret_not_configured",
    async (secrets) => {
      const { headers, body } = signed();
      const unsigned = { headers: { "content-type": headers["content-type"] ?? "" }, body: sample };
      expect(await outcome(unsigned, secrets)).toEqual({ status: 400, reason: "signature_missing" });
      expect(await outcome({ headers, body }, secrets)).toEqual({ status: 503, reason: "secret_not_configured" });
    },
  );

  test("an empty body without headers → 400 signature_missing", async () => {
    expect(await outcome({ body: "" })).toEqual({ status: 400, reason: "signature_missing" });
  });

  test("compressed → 415, and so is a content type that the provider does not send", async () => {
    const { headers, body } = signed();
    const refusal = { status: 415, reason: "content_type_unsupported" };
    expect(await outcome({ headers: { ...headers, "content-encoding": "gzip" }, body })).toEqual(refusal);
    expect(await outcome({ headers: { ...headers, "content-type": "text/plain" }, body })).toEqual(refusal);
  });

  test("one byte over 1 MiB → 413, announced or not", async () => {
    const { headers } = signed();
    const body = new Uint8Array(MEBIBYTE + 1).fill(0x20);
    const refusal = { status: 413, reason: "payload_too_large" };
    expect(await outcome({ headers, body })).toEqual(refusal);
    expect(await outcome({ headers: { ...headers, "content-length": String(MEBIBYTE + 1) }, body })).toEqual(refusal);
  });

  test.each([
    ["bytes that are not UTF-8", new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
    ["JSON nested half a million times", encode("[".repeat(500_000))],
    ["JSON that ends early", sample.slice(0, sample.length / 2)],
  ])("%s → 400", async (_, body) => {
    // A body that cannot hold a signature cannot be signed; its headers are those of another delivery.
    const result = fixture.signsRawJson ? signed(body) : { ...signed(), body };
    await expectRefusal({ headers: result.headers, body: new Uint8Array(body) });
  });

  // Every one of these is JSON, and an easy internal error.
  test.each([
    "null",
    "0",
    '"text"',
    "[]",
    "[[]]",
    "{}",
    '{"id":5,"type":{},"data":[],"event":null}',
    '{"id":"a\\u0000b","type":"\\ud800"}',
  ])("interop-24 signed JSON %s is an event, and unsigned it is a refusal: never an internal error", async (text) => {
    const body = new Uint8Array(encode(text));
    if (fixture.signsRawJson) expect(await outcome(signed(body))).toEqual({ status: 200, reason: "accepted" });
    await expectRefusal({ ...signed(), body });
  });

  if (fixture.signsRawJson) {
    test("a byte order mark is part of the signed bytes, and is ignored when parsing", async () => {
      const body = new Uint8Array([0xef, 0xbb, 0xbf, ...sample]);
      expect(await outcome(signed(body))).toEqual({ status: 200, reason: "accepted" });
      expect(await outcome({ ...signed(), body })).toEqual(refused("signature_mismatch"));
    });

    test("exactly 1 MiB is accepted, and so is one byte less", async () => {
      for (const length of [MEBIBYTE, MEBIBYTE - 1]) {
        const body = new Uint8Array(length).fill(0x20);
        body.set(sample);
        expect(await outcome(signed(body))).toEqual({ status: 200, reason: "accepted" });
      }
    });

    test("bytes that are not UTF-8 verify before they are parsed: unparsable, not signature_mismatch", async () => {
      const body = new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]);
      expect(await outcome(signed(body))).toEqual({ status: 400, reason: "unparsable" });
    });
  }

  if (adapter.toleranceSeconds !== null) {
    const tolerance = adapter.toleranceSeconds;
    test("signed at the edge of the window → accepted; a second beyond it → too old, or in the future", async () => {
      for (const timestamp of [NOW - tolerance, NOW + tolerance]) {
        expect(await outcome(signed(sample, { timestamp }))).toEqual({ status: 200, reason: "accepted" });
      }
      expect(await outcome(signed(sample, { timestamp: NOW - tolerance - 1 }))).toEqual({
        status: 400,
        reason: "timestamp_too_old",
      });
      expect(await outcome(signed(sample, { timestamp: NOW + tolerance + 1 }))).toEqual({
        status: 400,
        reason: "timestamp_in_future",
      });
      const tenYears = NOW + 10 * 365 * 86_400;
      expect(await outcome(signed(sample, { timestamp: tenYears }))).toEqual({
        status: 400,
        reason: "timestamp_in_future",
      });
    });

    test.each([
      ["junk behind", (digits: string) => `${digits}junk`],
      ["a sign before", (digits: string) => `+${digits}`],
      ["a fraction behind", (digits: string) => `${digits}.0`],
      ["another digit", (digits: string) => `${digits.slice(0, -1)}${(Number(digits.at(-1)) + 1) % 10}`],
      ["nothing instead of", () => ""],
    ])("%s the digits of the timestamp is never accepted", async (_, change) => {
      const { headers, body } = signed();
      const iso = new Date(NOW * 1000).toISOString().slice(0, -5);
      const digits = new RegExp(`${NOW}(?:000)?|${iso}Z`);
      const changed = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, value.replace(digits, change)]),
      );
      expect(changed).not.toEqual(headers);
      await expectRefusal({ headers: changed, body });
    });
  }

  if (fixture.downgrade) {
    const { downgrade } = fixture;
    test("a weaker scheme alone is never accepted", async () => {
      const { headers, body } = signed();
      expect(downgrade(headers)).not.toEqual(headers);
      await expectRefusal({ headers: downgrade(headers), body });
    });
  }

  if (signatureHeader !== null) {
    const withSignature = ({ headers, body }: Signed, change: (value: string) => string): Sent => ({
      headers: { ...headers, [signatureHeader]: change(headers[signatureHeader] ?? "") },
      body,
    });
    /** Changes the last MAC or signature in the header. */
    const changeMac = (change: (mac: string) => string) => (value: string) =>
      value.replace(/[A-Za-z0-9+/_-]{27,}=*$/, change);

    test.each([
      ["a character short", (mac: string) => mac.slice(0, -1)],
      ["a character long", (mac: string) => `${mac}0`],
      ["junk behind", (mac: string) => `${mac}zz`],
      ["a line of junk", () => "!".repeat(64)],
      ["of half the length", (mac: string) => mac.slice(0, mac.length / 2)],
      ["empty", () => ""],
      ["with a space inside", (mac: string) => `${mac.slice(0, 8)} ${mac.slice(8)}`],
    ])("a signature that is %s is never accepted", async (_, change) => {
      const sent = withSignature(signed(), changeMac(change));
      expect(sent.headers).not.toEqual(signed().headers);
      await expectRefusal(sent);
    });

    test("10,000 signatures in one header are not tried", async () => {
      const sent = withSignature(signed(), (value) => Array.from({ length: 10_000 }, () => value).join(", "));
      expect(await outcome(sent)).toEqual(refused("signature_malformed"));
    });

    test("the header twice, joined by a comma: two forgeries are never accepted, and nothing breaks on two genuine ones", async () => {
      const forged = signed(sample, { secret: fixture.otherSecret });
      await expectRefusal({ ...withSignature(forged, (value) => `${value}, ${value}`), body: signed().body });
      const { reason } = await outcome(withSignature(signed(), (value) => `${value}, ${value}`));
      expect(["accepted", "signature_malformed"]).toContain(reason);
    });

    const { several } = fixture;
    if (several) {
      test("a genuine signature counts among forged ones, first or last; sixteen forged ones first do not", async () => {
        const genuine = signed();
        const forged = signed(sample, { secret: fixture.otherSecret }).headers[signatureHeader] ?? "";
        for (const value of several(genuine.headers[signatureHeader] ?? "", forged)) {
          expect(await outcome(withSignature(genuine, () => value))).toEqual({ status: 200, reason: "accepted" });
        }
        const crowd = Array.from({ length: 16 }).reduce<string>(
          (value) => several(value, forged).at(1) ?? "",
          genuine.headers[signatureHeader] ?? "",
        );
        expect((await outcome(withSignature(genuine, () => crowd))).reason).not.toBe("accepted");
      });
    }
  }
});
