import { createHmac } from "node:crypto";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { BODY, type Case, candidate, DEPS, diagnoseCase, OTHER, SECRET } from "../testing/diagnosis.ts";
import { SENDER } from "../testing/outbound.ts";
import { createPayPalSender } from "../testing/paypal-sender.ts";
import { NOW } from "../testing/scene.ts";
import { diagnose } from "./diagnose.ts";
import type { CandidateEndpoint } from "./secret-variants.ts";

const staging = candidate("stripe-staging", [OTHER], { environment: "staging" });
const second = candidate("stripe-eu", [OTHER]);
const clerk = candidate("clerk", [OTHER]);
const ended = (value: string): CandidateEndpoint => {
  const [secret] = candidate("stripe", [value]).secrets;
  return {
    ...candidate("stripe"),
    secrets: [...candidate("stripe").secrets, { id: "old", value, label: "“old”", ...secret, endedAt: NOW }],
  };
};
/** What the sender signs with whose library prepares the secret differently. */
const stripeSignedWith = (key: string | Buffer) => () => {
  const mac = createHmac("sha256", key).update(`${NOW}.${BODY}`).digest("hex");
  return { "content-type": "application/json", "stripe-signature": `t=${NOW},v1=${mac}` };
};
const standardSignedWith = (key: string | Buffer) => () => {
  const mac = createHmac("sha256", key).update(`msg_1.${NOW}.${BODY}`).digest("base64");
  return { "webhook-id": "msg_1", "webhook-timestamp": String(NOW), "webhook-signature": `v1,${mac}` };
};
const decoded = Buffer.from(SECRET.slice("whsec_".length), "base64");

describe("CO-53 why a signature failed", () => {
  test.each<[string, Case, string[]]>([
    ["the secret of another environment", { secret: OTHER, others: [staging] }, ["other_environment_secret"]],
    ["the secret of another endpoint", { secret: OTHER, others: [second] }, ["other_endpoint_secret"]],
    ["the secret of another provider's endpoint", { secret: OTHER, others: [clerk] }, ["other_endpoint_secret"]],
    ["an ended secret", { secret: OTHER, own: ended(OTHER) }, ["ended_secret"]],
    ["a secret that was added later", {}, ["now_valid"]],
    ["a line break after the secret", { headers: stripeSignedWith(`${SECRET}\n`) }, ["trailing_whitespace"]],
    [
      "a line break of Windows after the secret",
      { headers: stripeSignedWith(`${SECRET}\r\n`) },
      ["trailing_whitespace"],
    ],
    ["a space before the secret", { headers: stripeSignedWith(` ${SECRET}`) }, ["trailing_whitespace"]],
    ["quotation marks around the sender's secret", { headers: stripeSignedWith(`"${SECRET}"`) }, ["quoted_secret"]],
    ["quotation marks around the stored secret", { own: candidate("stripe", [`'${SECRET}'`]) }, ["quoted_secret"]],
    ["a secret that the sender decoded", { headers: stripeSignedWith(decoded) }, ["decoded_secret"]],
    [
      "a secret that the sender used as text",
      { slug: "standard-webhooks", headers: standardSignedWith(SECRET) },
      ["raw_secret"],
    ],
    [
      "a secret without its prefix, as text",
      { slug: "standard-webhooks", headers: standardSignedWith(SECRET.slice("whsec_".length)) },
      ["raw_secret"],
    ],
    [
      "JSON indented on the way",
      { arrived: '{\n  "id": "evt_1",\n  "type": "invoice.paid",\n  "amount": 1.00,\n  "name": "Zoë"\n}' },
      ["reserialised_json"],
    ],
    [
      "JSON made compact on the way",
      {
        body: '{\n  "id": "evt_1",\n  "list": [],\n  "map": {},\n  "deep": [\n    1,\n    {\n      "a": "b, c: {d}"\n    }\n  ]\n}',
        arrived: '{"id":"evt_1","list":[],"map":{},"deep":[1,{"a":"b, c: {d}"}]}',
      },
      ["reserialised_json"],
    ],
    [
      "JSON spaced by Python",
      { body: BODY.replaceAll(/([,:])"/g, '$1 "').replace(":1.00", ": 1.00"), arrived: BODY },
      ["reserialised_json"],
    ],
    [
      "indented JSON with a last line break",
      { body: '{\n  "id": "evt_1"\n}\n', arrived: '{"id":"evt_1"}' },
      ["reserialised_json"],
    ],
    ["characters escaped on the way", { arrived: BODY.replace("ë", "\\u00eb") }, ["escaped_json"]],
    ["characters unescaped on the way", { body: BODY.replace("ë", "\\u00eb"), arrived: BODY }, ["escaped_json"]],
    [
      "slashes escaped by PHP",
      { body: '{"url":"https:\\/\\/shop.example\\/"}', arrived: '{"url":"https://shop.example/"}' },
      ["escaped_json"],
    ],
    ["line breaks of two bytes", { body: '{"a":\n1}', arrived: '{"a":\r\n1}' }, ["crlf"]],
    ["line breaks of one byte", { body: '{"a":\r\n1}', arrived: '{"a":\n1}' }, ["crlf"]],
    ["a line break added to the end", { arrived: `${BODY}\n` }, ["trailing_newline"]],
    ["a line break cut off the end", { body: `${BODY}\n`, arrived: BODY }, ["trailing_newline"]],
    ["a byte order mark removed", { body: `\uFEFF${BODY}`, arrived: BODY }, ["byte_order_mark"]],
    ["a byte order mark added", { arrived: `\uFEFF${BODY}` }, ["byte_order_mark"]],
    ["a body compressed on the way", { arrived: gzipSync(BODY) }, ["compressed_body"]],
    ["a body that got lost", { arrived: "" }, ["empty_body"]],
    ["another URL", { slug: "square", url: "https://gatehouse.test/api/webhooks/square/" }, ["url_variant"]],
    ["an http URL", { slug: "square", url: "http://gatehouse.test/api/webhooks/square" }, ["url_variant"]],
    ["a www URL", { slug: "square", url: "https://www.gatehouse.test/api/webhooks/square" }, ["url_variant"]],
    [
      "the host that the request names",
      {
        slug: "square",
        url: "https://hooks.shop.example/api/webhooks/square",
        headers: (signed) => ({ ...signed, "x-forwarded-host": "hooks.shop.example" }),
      },
      ["url_variant"],
    ],
    [
      "a configured URL that is not the sender's",
      {
        slug: "square",
        url: "https://gatehouse.test/api/webhooks/square",
        own: candidate("square", [SECRET], {
          settings: { notificationUrl: "https://gatehouse.test/api/webhooks/square/" },
        }),
      },
      ["url_variant"],
    ],
    [
      "another endpoint's secret and changed JSON",
      { secret: OTHER, others: [staging], arrived: `${BODY}\n` },
      ["other_environment_secret", "trailing_newline"],
    ],
    ["an unreadable header", { headers: () => ({ "stripe-signature": "t=soon,v1=x" }) }, ["unreadable_signature"]],
    [
      "only an old scheme",
      { headers: (signed) => ({ "stripe-signature": signed["stripe-signature"]?.replace("v1", "v0") ?? "" }) },
      ["unreadable_signature"],
    ],
  ])("%s", async (_, scene, kinds) => {
    const reason = kinds[0] === "unreadable_signature" ? "signature_malformed" : "signature_mismatch";
    const diagnosis = await diagnoseCase({ reason, ...scene });
    expect(diagnosis.kinds).toEqual(kinds);
    expect(diagnosis.limit).toBeNull();
    for (const { sentence, fix } of diagnosis.findings) {
      expect(sentence).toMatch(/^[A-Z].*\.$/);
      expect(fix).toMatch(/^[A-Z].*\.$/);
    }
  });

  test.each<[string, Case]>([
    ["a stranger's secret", { secret: "whsec_stranger", others: [staging, second] }],
    ["an altered body", { arrived: BODY.replace("1.00", "9.00") }],
    ["an altered body that is no JSON", { arrived: "hello" }],
    ["a stranger's secret for Square", { slug: "square", secret: "stranger" }],
    [
      "Braintree",
      { slug: "braintree", secret: "bt_public:stranger", own: candidate("braintree", ["bt_public:bt_private"]) },
    ],
  ])("no finding: %s", async (_, scene) => {
    expect(await diagnoseCase(scene)).toMatchObject({ findings: [], limit: null });
  });

  test("the names of secrets and endpoints are told", async () => {
    const { findings } = await diagnoseCase({ secret: OTHER, others: [staging] });
    expect(findings[0]?.sentence).toBe(
      "The delivery is signed with the staging secret “0” (…LaSw) of /api/webhooks/stripe-staging. This endpoint is for production.",
    );
  });

  test("PayPal's simulator, and the webhook id of another endpoint, with the certificate that the delivery names", async () => {
    const sender = await createPayPalSender();
    const own = candidate("paypal", ["1JE4291016473214C"]);
    const others = [candidate("paypal-eu", ["9XL90610J3647323C"], { provider: "paypal" })];
    for (const [secret, kind] of [
      ["WEBHOOK_ID", "sender_test_secret"],
      ["9XL90610J3647323C", "other_endpoint_secret"],
    ] as const) {
      const signed = sender.sign({
        body: Buffer.from(BODY),
        type: null,
        id: "t1",
        secret,
        timestamp: NOW,
        url: "",
        settings: {},
      });
      if ("problem" in signed) throw new Error(signed.problem);
      const row = { method: "POST", headers: signed.headers, body: signed.body, bodyBytes: signed.body.byteLength };
      const delivery = { ...row, receivedAt: NOW, reason: "signature_mismatch" as const };
      const deps = { ...sender.outbound, sender: SENDER, now: () => NOW };
      expect((await diagnose(delivery, { ...own, url: "https://x.test/" }, others, deps)).findings).toMatchObject([
        { kind },
      ]);
      expect((await diagnose(delivery, { ...own, url: "https://x.test/" }, others, DEPS)).findings).toEqual([]);
      const stranger = { ...deps, fetchCertificate: (await createPayPalSender()).outbound.fetchCertificate };
      expect((await diagnose(delivery, { ...own, url: "https://x.test/" }, others, stranger)).findings).toMatchObject([
        { kind: "untrusted_certificate" },
      ]);
    }
  });
});
