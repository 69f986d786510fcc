import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { AdapterSettings } from "../endpoint.ts";
import { enabled, NOW, receiver } from "../testing/scene.ts";
import { signedBy } from "../testing/signers.ts";
import { CUSTOM_FIELDS } from "./custom-fields.ts";
import { customSchemeOf, customSchemeProblems } from "./custom-scheme.ts";

const BODY = '{"uuid":"e-1","kind":"thing.made","data":{"id":42}}';
const JSON_TYPE = { "content-type": "application/json" };

async function row(settings: AdapterSettings, secret: string, headers: Record<string, string>, body = BODY) {
  const { send, store } = receiver({ custom: { ...enabled(secret), settings } });
  await send("custom", { headers: { ...JSON_TYPE, ...headers }, body });
  return store.deliveries[0];
}

describe("a custom sender", () => {
  test.each<[string, AdapterSettings, string]>([
    ["the defaults: HMAC-SHA256 of the body in hex", { header: "X-Sig" }, "s3cret"],
    [
      "SHA-1 in base64 with a prefix",
      { header: "x-sig", algorithm: "hmac-sha1", encoding: "base64", prefix: "sha1=" },
      "s3cret",
    ],
    ["SHA-512", { header: "x-sig", algorithm: "hmac-sha512" }, "s3cret"],
    ["a secret in hex", { header: "x-sig", secretEncoding: "hex" }, "00ffAA10"],
    ["a secret in base64", { header: "x-sig", secretEncoding: "base64" }, "3q2+7w=="],
    [
      "id, time, URL and body",
      { header: "x-sig", template: "v1:{id}:{timestamp}:{url}:{body}", idHeader: "X-Id", timestampHeader: "x-at" },
      "s",
    ],
    [
      "time next to the body",
      { header: "x-sig", template: "{timestamp}{body}", timestampHeader: "x-at", timestampUnit: "ms" },
      "s",
    ],
    [
      "the time in the signature header",
      { header: "x-sig", template: "{timestamp}.{body}", timestampPrefix: "t=", prefix: "v1=", separator: "," },
      "s",
    ],
    [
      "null for settings that are left empty",
      { header: "x-sig", prefix: null, template: null, separator: null, idPath: null },
      "s",
    ],
  ])("%s", async (_, settings, secret) => {
    expect(customSchemeProblems(settings)).toEqual([]);
    const sent = signedBy("custom", { body: BODY, secret, timestamp: NOW, settings });
    expect(await row(settings, secret, sent.headers)).toMatchObject({ reason: "accepted" });
    expect(await row(settings, secret, sent.headers, `${BODY} `)).toMatchObject({ reason: "signature_mismatch" });
  });

  test("the signed text is the template, filled in", async () => {
    const settings = {
      header: "x-sig",
      template: "{timestamp}|{url}|{body}",
      timestampHeader: "x-at",
      prefix: "sha256=",
    };
    const mac = createHmac("sha256", "s")
      .update(`${NOW}|https://gatehouse.test/api/webhooks/custom|${BODY}`)
      .digest("hex");
    expect(await row(settings, "s", { "x-sig": `sha256=${mac}`, "x-at": String(NOW) })).toMatchObject({
      reason: "accepted",
      skewSeconds: 0,
    });
  });

  test("Ed25519 with the sender's public key", async () => {
    const settings = {
      header: "x-sig",
      algorithm: "ed25519",
      secretEncoding: "hex",
      template: "{timestamp}{body}",
      timestampHeader: "x-at",
    };
    const pair = generateKeyPairSync("ed25519");
    const publicKey = Buffer.from(pair.publicKey.export({ format: "jwk" }).x ?? "", "base64url").toString("hex");
    const signature = sign(null, Buffer.from(`${NOW}${BODY}`), pair.privateKey).toString("hex");
    expect(await row(settings, publicKey, { "x-sig": signature, "x-at": String(NOW) })).toMatchObject({
      reason: "accepted",
    });
    expect(await row(settings, publicKey, { "x-sig": signature, "x-at": String(NOW + 1) })).toMatchObject({
      reason: "signature_mismatch",
    });
    expect(await row(settings, "ab", { "x-sig": signature, "x-at": String(NOW) })).toMatchObject({
      reason: "secret_not_configured",
    });
  });

  test("id, type and object are found in headers or in the body, and numbers count as text", async () => {
    const found = { idPath: "uuid", typePath: "kind", objectPath: "data.id" };
    const { headers } = signedBy("custom", { body: BODY, secret: "s", timestamp: NOW, settings: { header: "x-sig" } });
    expect(await row({ header: "x-sig", ...found }, "s", headers)).toMatchObject({
      eventId: "e-1",
      eventType: "thing.made",
    });
    expect(
      await row({ header: "x-sig", idPath: "data.id", typeHeader: "x-type" }, "s", { ...headers, "x-type": "a.b" }),
    ).toMatchObject({
      eventId: "42",
      eventType: "a.b",
    });
    expect(await row({ header: "x-sig", idPath: "no.such.path" }, "s", headers)).toMatchObject({
      reason: "accepted",
      eventId: null,
    });
  });

  test("the endpoint's tolerance replaces the default", async () => {
    const settings = { header: "x-sig", template: "{timestamp}.{body}", timestampHeader: "x-at" };
    const late = signedBy("custom", { body: BODY, secret: "s", timestamp: NOW - 20, settings });
    expect(await row({ ...settings, toleranceSeconds: 20 }, "s", late.headers)).toMatchObject({ reason: "accepted" });
    expect(await row({ ...settings, toleranceSeconds: 19 }, "s", late.headers)).toMatchObject({
      reason: "timestamp_too_old",
    });
  });

  test.each([
    ["never set up", {}],
    ["set up with a mistake", { header: "x-sig", algorithm: "md5" }],
  ])("an endpoint that was %s accepts nothing", async (_, settings) => {
    const { headers } = signedBy("custom", { body: BODY, secret: "s", timestamp: NOW, settings: { header: "x-sig" } });
    expect(await row(settings, "s", headers)).toMatchObject({ reason: "signature_missing", status: 400 });
  });
});

describe("one signature stands for one message", () => {
  const settings = { header: "x-sig", template: "{id}.{timestamp}.{body}", idHeader: "x-id", timestampHeader: "x-at" };
  const mac = (text: string) => createHmac("sha256", "s").update(text).digest("hex");

  test("an id with the separator of the template is malformed", async () => {
    const headers = { "x-sig": mac(`a.${NOW}.${NOW}.${BODY}`), "x-id": `a.${NOW}`, "x-at": String(NOW) };
    expect(await row(settings, "s", headers)).toMatchObject({ reason: "signature_malformed" });
  });

  test.each(["", "1", "17000000000", "1700000000.5", "1700000000junk", "+700000000", " "])(
    "the timestamp %j is malformed",
    async (at) => {
      expect(await row(settings, "s", { "x-sig": mac(`a.${at}.${BODY}`), "x-id": "a", "x-at": at })).toMatchObject({
        reason: "signature_malformed",
      });
    },
  );

  test("two timestamps in the signature header are malformed", async () => {
    const inHeader = {
      header: "x-sig",
      template: "{timestamp}.{body}",
      timestampPrefix: "t=",
      prefix: "v1=",
      separator: ",",
    };
    const headers = { "x-sig": `t=${NOW},t=${NOW + 1},v1=${mac(`${NOW}.${BODY}`)}` };
    expect(await row(inHeader, "s", headers)).toMatchObject({ reason: "signature_malformed" });
  });
});

describe("settings of a custom sender", () => {
  const time = { timestampHeader: "x-at" };
  test.each<[string, AdapterSettings, string]>([
    ["no header", {}, "header is required. Enter the name of the header with the signature"],
    ["a header with a space", { header: "x sig" }, "header is not the name of a header"],
    ["a header that the log leaves out", { header: "Authorization" }, "header cannot be this header"],
    ["an unknown setting", { header: "x-sig", heder: "x" }, "heder is not a setting"],
    ["an unknown algorithm", { header: "x-sig", algorithm: "md5" }, 'algorithm must be one of "hmac-sha256"'],
    ["a number for text", { header: "x-sig", prefix: 5 }, "prefix must be text"],
    ["a line break", { header: "x-sig", prefix: "a\r\nb" }, "prefix must be text"],
    [
      "a template without the body",
      { header: "x-sig", template: "{timestamp}", ...time },
      "template must contain {body} once",
    ],
    ["a template with two bodies", { header: "x-sig", template: "{body}{body}" }, "template must contain {body} once"],
    ["an unknown placeholder", { header: "x-sig", template: "{boddy}{body}" }, "template has an unknown placeholder"],
    [
      "two timestamps",
      { header: "x-sig", template: "{timestamp}{timestamp}{body}", ...time },
      "template contains {timestamp} more than once",
    ],
    ["a timestamp from nowhere", { header: "x-sig", template: "{timestamp}.{body}" }, "timestampHeader is required"],
    ["a timestamp that is not signed", { header: "x-sig", ...time }, "template must contain {timestamp}"],
    ["an id from nowhere", { header: "x-sig", template: "{id}.{body}" }, "idHeader is required"],
    [
      "an id without text beside it",
      { header: "x-sig", template: "{id}{body}", idHeader: "x-id" },
      "template needs text between {id} and",
    ],
    [
      "a time entry without a separator",
      { header: "x-sig", template: "{timestamp}.{body}", timestampPrefix: "t=" },
      "separator is required",
    ],
    ["a tolerance of 0", { header: "x-sig", toleranceSeconds: 0 }, "toleranceSeconds must be 1 to 86400 seconds"],
    ["a path with an empty name", { header: "x-sig", idPath: "a..b" }, "idPath must be names separated by dots"],
  ])("%s is a problem with its field", (_, settings, message) => {
    const problems = customSchemeProblems(settings).map(({ path, message }) => `${path} ${message}`);
    expect(problems.some((problem) => problem.startsWith(message))).toBe(true);
    expect(customSchemeOf(settings)).toBeUndefined();
  });

  test("the form has a field for every setting", () => {
    for (const { name } of CUSTOM_FIELDS) {
      expect(customSchemeProblems({ header: "x-sig", [name]: {} }).map(({ path }) => path)).toContain(name);
      expect(
        customSchemeProblems({ header: "x-sig", [name]: {} })
          .map(({ message }) => message)
          .join(),
      ).not.toContain("is not a setting");
    }
  });
});
