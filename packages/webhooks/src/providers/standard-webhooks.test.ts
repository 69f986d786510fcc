import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { NOW, STANDARD_SECRET, verdict } from "../testing/scene.ts";
import { signedBy } from "../testing/signers.ts";
import { PROVIDERS } from "./index.ts";
import { standardKeys } from "./standard-webhooks.ts";

const BODY = '{"id":"evt_test_1","object":"event","type":"invoice.paid"}';

describe("Standard Webhooks", () => {
  const body = '{"test": 2432232314}';
  const now = 1614265330;
  const id = "msg_p5jXN8AQM9LWM0D4loKWxJek";
  const v1 = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
  const v1a = "v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==";
  const publicKey = "whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=";
  const headers = (signature: string, change: Record<string, string> = {}) => ({
    "webhook-id": id,
    "webhook-timestamp": String(now),
    "webhook-signature": signature,
    ...change,
  });
  const other = `v1,${Buffer.alloc(32).toString("base64")}`;

  test.each([
    ["the official v1 vector", [STANDARD_SECRET], headers(v1), "accepted"],
    ["the official v1a vector", [publicKey], headers(v1a), "accepted"],
    ["v1a beside a shared secret", [STANDARD_SECRET, publicKey], headers(`${v1a} ${other}`), "accepted"],
    ["the secret without its prefix", [STANDARD_SECRET.slice(6)], headers(v1), "accepted"],
    ["rotation, good first", [STANDARD_SECRET], headers(`${v1} ${other}`), "accepted"],
    ["rotation, good last", [STANDARD_SECRET], headers(`${other} ${v1}`), "accepted"],
    ["the header twice, joined", [STANDARD_SECRET], headers(`${other}, ${v1}`), "accepted"],
    ["v1a of another key", [publicKey], headers(`v1a,${Buffer.alloc(64).toString("base64")}`), "signature_mismatch"],
    ["v1 where only a public key is known", [publicKey], headers(v1), "signature_mismatch"],
    ["an unknown scheme", [STANDARD_SECRET], headers(v1.replace("v1,", "v2,")), "signature_scheme_unknown"],
    ["base64 without its padding", [STANDARD_SECRET], headers(v1.slice(0, -1)), "signature_malformed"],
    [
      "base64 of 31 bytes",
      [STANDARD_SECRET],
      headers(`v1,${Buffer.alloc(31).toString("base64")}`),
      "signature_malformed",
    ],
    ["base64url", [STANDARD_SECRET], headers(v1.replaceAll("/", "_")), "signature_malformed"],
    ["no scheme", [STANDARD_SECRET], headers(v1.slice(3)), "signature_malformed"],
    ["no id", [STANDARD_SECRET], headers(v1, { "webhook-id": "" }), "signature_malformed"],
    [
      "an id with a dot, which could hide a timestamp",
      [STANDARD_SECRET],
      headers(v1, { "webhook-id": "msg.1" }),
      "signature_malformed",
    ],
    ["no timestamp", [STANDARD_SECRET], headers(v1, { "webhook-timestamp": "" }), "signature_malformed"],
    [
      "junk behind the digits",
      [STANDARD_SECRET],
      headers(v1, { "webhook-timestamp": `${now}junk` }),
      "signature_malformed",
    ],
    ["another id", [STANDARD_SECRET], headers(v1, { "webhook-id": "msg_other" }), "signature_mismatch"],
    ["a secret that is not base64", ["whsec_test_secret"], headers(v1), "secret_not_configured"],
    ["a public key of the wrong length", ["whpk_AAAA"], headers(v1a), "secret_not_configured"],
    ["an empty secret behind its prefix", ["whsec_"], headers(v1), "secret_not_configured"],
  ])("%s", async (_, secrets, sent, reason) => {
    expect(await verdict("standard-webhooks", secrets, body, sent, now)).toBe(reason);
  });

  test("a public key is never used as an HMAC key", async () => {
    for (const key of [Buffer.from(publicKey), Buffer.from(publicKey.slice(5), "base64")]) {
      const mac = createHmac("sha256", key).update(`${id}.${now}.${body}`).digest("base64");
      for (const provider of ["standard-webhooks", "polar"]) {
        expect(await verdict(provider, [publicKey], body, headers(`v1,${mac}`), now)).toBe("signature_mismatch");
      }
    }
  });

  test("a fresh ed25519 key pair verifies its own bytes only", async () => {
    const pair = generateKeyPairSync("ed25519");
    const secret = `whpk_${Buffer.from(pair.publicKey.export({ format: "jwk" }).x ?? "", "base64url").toString("base64")}`;
    const signature = `v1a,${sign(null, Buffer.from(`${id}.${now}.${body}`), pair.privateKey).toString("base64")}`;
    expect(await verdict("standard-webhooks", [secret], body, headers(signature), now)).toBe("accepted");
    expect(await verdict("standard-webhooks", [secret], `${body}\n`, headers(signature), now)).toBe(
      "signature_mismatch",
    );
  });

  test("every provider of the scheme accepts signatures of the reference library", async () => {
    const signature = new Webhook(STANDARD_SECRET).sign("msg_1", new Date(NOW * 1000), BODY);
    for (const [provider, prefix] of [
      ["standard-webhooks", "webhook"],
      ["svix", "svix"],
      ["svix", "webhook"],
      ["clerk", "svix"],
      ["polar", "webhook"],
    ]) {
      const sent = {
        [`${prefix}-id`]: "msg_1",
        [`${prefix}-timestamp`]: String(NOW),
        [`${prefix}-signature`]: signature,
      };
      expect(await verdict(provider ?? "", [STANDARD_SECRET], BODY, sent)).toBe("accepted");
    }
  });

  test.each([
    [
      "with the scheme in front, as auth hooks show them",
      "v1,whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
      "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    ],
    [
      "without padding",
      "whsec_c2VjcmV0LW9mLXRoaXJ0eS10d28tYnl0ZXMhISE",
      "whsec_c2VjcmV0LW9mLXRoaXJ0eS10d28tYnl0ZXMhISE=",
    ],
  ])("secrets %s are the secret itself", (_, shown, secret) => {
    for (const provider of ["standard-webhooks", "svix", "clerk", "polar"] as const) {
      const [key] = standardKeys(secret);
      expect(PROVIDERS[provider].keysOf(shown, {})).toContainEqual(key);
    }
  });

  test("headers with different prefixes are not combined", async () => {
    const { "svix-id": svixId = "", ...rest } = signedBy("svix", {
      body: BODY,
      secret: STANDARD_SECRET,
      timestamp: NOW,
    }).headers;
    expect(await verdict("svix", [STANDARD_SECRET], BODY, { ...rest, "webhook-id": svixId })).toBe(
      "signature_malformed",
    );
  });

  test("Polar's secret is tried as text and as base64", async () => {
    const secret = "polar_whs_ovyN6cPrTv56AApvzCaJno08SSmGJmgbWilb33N2JuK";
    const mac = createHmac("sha256", secret).update(`msg_1.${NOW}.${BODY}`).digest("base64");
    const sent = { "webhook-id": "msg_1", "webhook-timestamp": String(NOW), "webhook-signature": `v1,${mac}` };
    expect(await verdict("polar", [secret], BODY, sent)).toBe("accepted");
    const { headers: asBase64 } = signedBy("standard-webhooks", {
      body: BODY,
      secret: STANDARD_SECRET,
      timestamp: NOW,
    });
    expect(await verdict("polar", [STANDARD_SECRET], BODY, asBase64)).toBe("accepted");
  });
});
