import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { EndpointSettings } from "../endpoint.ts";
import { PROVIDERS, type ProviderSlug } from "../providers/index.ts";
import { sampleBody } from "../samples.ts";
import {
  adapterOf,
  bare,
  change,
  deliver,
  type Endpoint,
  expectFixed,
  HOW,
  type Scene,
  seen,
  signedBy,
  urlOf,
} from "../testing/fixes.ts";
import { FIXTURES } from "../testing/fixtures.ts";
import { NOW } from "../testing/scene.ts";
import { FINDING_KINDS } from "./finding.ts";

const PREFIXED = "whsec_C2FVsBQIhrscChlQIMVb5sSYspob7oDD";
const CUSTOM = { header: "x-signature", secretEncoding: "text" };

/** A delivery of this provider that passes. */
function sceneOf(
  provider: ProviderSlug,
  secret = FIXTURES[provider].secret,
  settings = FIXTURES[provider].settings ?? {},
): Scene {
  const [type = ""] = Object.keys(adapterOf(provider).samples);
  const body = sampleBody(adapterOf(provider), type, "evt_1") ?? new Uint8Array();
  const endpoints = { [provider]: { provider, secret, settings } };
  return { provider, to: provider, endpoints, secret, url: urlOf(provider), timestamp: NOW, now: NOW, body };
}

/** Whether the sender could sign at all with this secret. */
function canSign(scene: Scene): boolean {
  try {
    return signedBy(scene).body.length > 0;
  } catch {
    return false;
  }
}

/** The readings of the secret that are not the provider's, each key once. */
function misreadings(provider: ProviderSlug, secret: string, settings: EndpointSettings["settings"]): string[] {
  const keys = new Set(
    adapterOf(provider)
      .keysOf(secret, settings)
      .map(({ bytes }) => Buffer.from(bytes).toString("hex")),
  );
  return Object.keys(HOW).filter((how) => {
    const key = HOW[how]?.(secret).toString("hex") ?? "";
    const isHex = !how.includes("hex") || /^[0-9a-f]+$/i.test(how.includes("without") ? bare(secret) : secret);
    return isHex && key !== "" && keys.size < keys.add(key).size;
  });
}

const kindOf = (how: string) => (how.startsWith("as text") ? "raw_secret" : "decoded_secret");
const SLUGS = Object.keys(PROVIDERS) as ProviderSlug[];
const HMAC: readonly ProviderSlug[] = SLUGS.filter((slug) => slug !== "paypal" && slug !== "braintree");

describe.each(SLUGS)("CO-53 doing what a finding says makes the delivery pass: %s", (provider) => {
  const { secret, otherSecret, settings = {}, signsRawJson, signatureHeader } = FIXTURES[provider];
  const scene = sceneOf(provider);
  const withOther = (other: Partial<Endpoint>): Scene => ({
    ...change(scene, "elsewhere", { provider, secret: otherSecret, settings, ...other }),
    secret: otherSecret,
  });
  const foreign = provider === "stripe" ? "paddle" : "stripe";

  test("the delivery passes before anything is wrong", async () => {
    expect((await deliver(scene))?.reason).toBe("accepted");
  });

  test.each<[string, Partial<Endpoint>, string]>([
    ["another endpoint", {}, "other_endpoint_secret"],
    [
      "another endpoint of its own notification URL",
      { settings: { ...settings, notificationUrl: "https://hooks.example/" } },
      "other_endpoint_secret",
    ],
    ["another environment", { environment: "development" }, "other_environment_secret"],
    ["another endpoint that is disabled", { enabled: false }, "other_endpoint_secret"],
    ["another endpoint, where it ended", { secret: "unrelated", ended: otherSecret }, "other_endpoint_secret"],
    ["another provider's endpoint", { provider: foreign }, "other_endpoint_secret"],
    [
      "another provider's endpoint in another environment",
      { provider: foreign, environment: "staging" },
      "other_environment_secret",
    ],
  ])("signed with the secret of %s", async (_, other, kind) => {
    if (provider === "custom" && "settings" in other)
      other = { settings: { ...settings, header: "x-other-signature" } };
    await expectFixed(withOther(other), [kind]);
  });

  test("signed with an ended secret", async () => {
    await expectFixed({ ...change(scene, provider, { ended: otherSecret }), secret: otherSecret }, ["ended_secret"]);
  });

  test("signed with a secret that was added later", async () => {
    await expectFixed(change(scene, provider, { secret: otherSecret }), ["now_valid"], scene);
  });

  if (HMAC.includes(provider)) {
    const textSecrets = [`${secret}\n`, `${secret}\r\n`, ` ${secret}`].filter((copy) =>
      canSign({ ...scene, secret: copy }),
    );
    test.each(textSecrets)("the sender's copy of the secret is %j", async (copy) => {
      await expectFixed({ ...scene, secret: copy }, ["trailing_whitespace"]);
    });

    test.runIf(textSecrets.length > 0)("quotation marks around either copy of the secret", async () => {
      await expectFixed({ ...scene, secret: `"${secret}"` }, ["quoted_secret"]);
      await expectFixed(change(scene, provider, { secret: `'${secret}'` }), ["quoted_secret"]);
    });

    const secrets = [...new Set([secret, PREFIXED])].filter(
      (one) => adapterOf(provider).keysOf(one, settings).length > 0,
    );
    const misread = secrets.flatMap((one) => misreadings(provider, one, settings).map((how) => [one, how] as const));
    test("a library reads secrets in more than one other way", () => expect(misread.length).toBeGreaterThan(1));
    test.each(misread)("the secret %s is used %s", async (one, how) => {
      await expectFixed({ ...sceneOf(provider, one), how }, [kindOf(how)]);
    });
  }

  if (signsRawJson) {
    const body = Buffer.from('{"id":"evt_1","type":"invoice.paid","name":"Zo\u00eb","url":"https://shop.example/"}');
    const lines = Buffer.from('{\n"id":"evt_1"\n}');
    test.each<[string, Buffer, (sent: Buffer) => Uint8Array, string]>([
      [
        "written again",
        body,
        (sent) => Buffer.from(JSON.stringify(JSON.parse(sent.toString()), null, 2)),
        "reserialised_json",
      ],
      ["escaped", body, (sent) => Buffer.from(sent.toString().replace("\u00eb", "\\u00eb")), "escaped_json"],
      ["given other line breaks", lines, (sent) => Buffer.from(sent.toString().replaceAll("\n", "\r\n")), "crlf"],
      ["given a last line break", body, (sent) => Buffer.concat([sent, Buffer.from("\n")]), "trailing_newline"],
      ["given a byte order mark", body, (sent) => Buffer.concat([Buffer.from("\ufeff"), sent]), "byte_order_mark"],
      ["compressed", body, gzipSync, "compressed_body"],
      ["lost", body, () => Buffer.alloc(0), "empty_body"],
    ])("the body is %s on the way", async (_, sent, onTheWay, kind) => {
      await expectFixed({ ...scene, body: sent, onTheWay }, [kind]);
    });

    test("the body is changed, and the secret is another endpoint's", async () => {
      const both = { ...withOther({}), onTheWay: (sent: Buffer) => Buffer.concat([sent, Buffer.from("\n")]) };
      await expectFixed(both, ["other_endpoint_secret", "trailing_newline"]);
    });
  }

  const { toleranceSeconds } = adapterOf(provider);
  if (toleranceSeconds !== null) {
    test.each([-toleranceSeconds - 600, toleranceSeconds + 600])("signed %i seconds from now", async (skew) => {
      await expectFixed({ ...scene, timestamp: NOW + skew }, ["clock"]);
    });
    // PayPal sends a date, and a custom scheme has a fixed number of digits: neither can be read in the other unit.
    test.runIf(provider !== "paypal" && provider !== "custom")("signed with a time in the other unit", async () => {
      await expectFixed({ ...scene, timestamp: provider === "workos" ? NOW / 1000 : NOW * 1000 }, ["milliseconds"]);
    });
  }

  test.runIf(signatureHeader !== null && provider !== "custom")(
    "sent to another provider's endpoint, which is told by its headers",
    async () => {
      const to = provider === "lemonsqueezy" ? "stripe" : "lemonsqueezy";
      const [finding] = await expectFixed(
        { ...scene, to, endpoints: { [to]: { provider: to, secret: "unrelated" } } },
        ["other_provider"],
      );
      expect(finding?.fix).toMatch(new RegExp(`/api/webhooks/${provider}(?:,| or|\\.)`));
    },
  );
});

describe("CO-53 doing what a finding says makes the delivery pass", () => {
  test.each(["hex", "base64"])("a custom scheme whose secret is %s", async (secretEncoding) => {
    const settings = { ...CUSTOM, secretEncoding };
    const secret = "44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056";
    for (const how of misreadings("custom", secret, settings)) {
      await expectFixed({ ...sceneOf("custom", secret, settings), how }, [kindOf(how)]);
    }
  });

  test.each(["https://gatehouse.test/api/webhooks/square/", "http://gatehouse.test/api/webhooks/square"])(
    "Square signs %s",
    async (url) => {
      await expectFixed({ ...sceneOf("square"), url }, ["url_variant"]);
      const configured = sceneOf("square", undefined, {
        notificationUrl: "https://gatehouse.test/api/webhooks/square",
      });
      await expectFixed({ ...configured, url }, ["url_variant"]);
    },
  );

  test("a custom scheme that signs the URL, which cannot be set", async () => {
    const settings = { ...CUSTOM, template: "{url}.{body}" };
    await expectFixed(
      { ...sceneOf("custom", undefined, settings), url: "https://www.gatehouse.test/api/webhooks/custom" },
      ["url_variant"],
    );
  });

  test("PayPal's simulator signs with its own webhook id", async () => {
    await expectFixed({ ...sceneOf("paypal"), secret: "WEBHOOK_ID" }, ["sender_test_secret"]);
  });

  test("every kind of finding was fixed, except for forgeries", () => {
    const isForgery = ["untrusted_certificate", "unreadable_signature"];
    expect([...seen].sort()).toEqual(FINDING_KINDS.filter((kind) => !isForgery.includes(kind)).sort());
  });
});
