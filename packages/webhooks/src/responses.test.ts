import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { EndpointSettings } from "./endpoint.ts";
import type { Adapter } from "./providers/adapter.ts";
import { PROVIDERS } from "./providers/index.ts";
import { sampleBody } from "./samples.ts";
import { createPayPalSender } from "./testing/paypal-sender.ts";
import { enabled, NOW, receiver, type Sent, STRIPE_SECRET } from "./testing/scene.ts";
import { signedBy, stripeHeaders } from "./testing/signers.ts";

const GUIDE = readFileSync(new URL("../../../docs/webhook-reference.md", import.meta.url), "utf8");
const SECTION = /\n## Responses\n(.*?)\n## /s.exec(GUIDE)?.[1] ?? "";
/** The rows of the guide's table, in its order, which it says is that of the checks. */
const ROWS = [...SECTION.matchAll(/^\| (\d{3}) \| `?(\w+|–)`? \| (.*?) \|/gm)].map(
  ([, status = "", reason = "", what = ""]) => ({
    status: Number(status),
    reason,
    what,
  }),
);
const whatOf = (reason: string) => ROWS.find((row) => row.reason === reason)?.what ?? "";

const ADAPTERS = Object.values<Adapter>(PROVIDERS);
const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = { "content-type": "application/json" };
const XML = "<xml/>";
const [ALTERED, EVENT] = ["<altered/>", '{"id":"evt_1","type":"invoice.paid"}'];
const OVERSIZE = "x".repeat(1024 * 1024 + 1);
const OLD = NOW - 100_000;
const stripeSigned = (body: string, at = NOW) => ({
  body,
  headers: { ...JSON_TYPE, ...stripeHeaders(body, STRIPE_SECRET, at) },
});

type Step = { slug?: string; endpoint?: Partial<EndpointSettings>; sent: Sent; repeated?: true; broken?: true };
const withoutSecrets = { secrets: [] };
const wrong = { ...stripeSigned(ALTERED, OLD), body: XML };

/** For each row, a delivery that fails this check and most of those after it. */
async function stepsInOrder(): Promise<Step[]> {
  const payPal = (await createPayPalSender()).sign({
    body: Buffer.from(XML),
    type: null,
    id: "t",
    secret: "1JE",
    timestamp: NOW,
    url: "",
    settings: {},
  });
  if ("problem" in payPal) throw new Error(payPal.problem);
  return [
    { slug: "nobody", sent: { method: "GET" } },
    { endpoint: { enabled: false }, sent: { method: "GET" } },
    { endpoint: { enabled: false }, sent: { body: OVERSIZE } },
    { sent: { body: OVERSIZE, headers: { "stripe-signature": "garbage" } } },
    { endpoint: withoutSecrets, sent: { body: XML, headers: { "content-type": "text/plain" } } },
    {
      endpoint: withoutSecrets,
      sent: { body: XML, headers: { "content-type": "text/plain", "stripe-signature": "garbage" } },
    },
    { endpoint: withoutSecrets, sent: { body: XML, headers: { ...JSON_TYPE, "stripe-signature": "garbage" } } },
    {
      endpoint: withoutSecrets,
      sent: { body: XML, headers: { ...JSON_TYPE, "stripe-signature": `t=${OLD},v0=${"0".repeat(64)}` } },
    },
    { endpoint: withoutSecrets, sent: wrong },
    { endpoint: { ...withoutSecrets, unreadableSecrets: 1 }, sent: wrong },
    {
      slug: "paypal",
      endpoint: { secrets: [{ id: "s0", value: "other" }] },
      sent: { body: XML, headers: payPal.headers },
    },
    { sent: wrong },
    { sent: stripeSigned(XML, OLD) },
    { sent: stripeSigned(XML, NOW + 100_000) },
    { sent: stripeSigned(XML) },
    { sent: stripeSigned(EVENT) },
    { sent: stripeSigned(EVENT), repeated: true },
    { sent: stripeSigned(EVENT), broken: true },
  ];
}

async function take({ slug = "stripe", endpoint, sent, repeated, broken }: Step) {
  const { send, store } = receiver(slug === "nobody" ? {} : { [slug]: { ...enabled(STRIPE_SECRET), ...endpoint } });
  if (repeated) await send(slug, sent);
  if (broken) Object.assign(store, { acceptDelivery: () => Promise.reject(new Error("disk full")) });
  const response = await send(slug, sent);
  const body: { reason?: string; duplicate?: true } = JSON.parse(await response.text());
  return { response, body, reason: store.deliveries.at(-1)?.reason ?? (broken ? "–" : body.reason) };
}

describe("the Responses table of the guide", () => {
  test("has each check once, in the order in which the receiver makes them, with its status", async () => {
    const answers = await Promise.all((await stepsInOrder()).map(take));
    expect(ROWS.map(({ status, reason }) => [status, reason])).toEqual(
      answers.map(({ response, reason }) => [response.status, reason]),
    );
    for (const { response, body } of answers) {
      expect(response.headers.get("allow")).toBe(response.status === 405 ? "POST" : null);
      expect(response.headers.has("retry-after")).toBe(response.status === 503);
      if (response.status === 200)
        expect(whatOf(body.duplicate ? "duplicate" : "accepted")).toContain(
          JSON.stringify(body).replace(/([:,])/g, "$1 "),
        );
      else expect(Object.keys(body)).toEqual(["error", "reason", "message"]);
    }
  });

  test("names every provider that gets another status for a reason", () => {
    const exceptions = ADAPTERS.flatMap(({ name, answers }) =>
      Object.entries(answers?.statuses ?? {}).map(([reason, status]) => [reason, `${status} for ${name}`]),
    );
    const named = ROWS.flatMap(({ reason, what }) =>
      [...what.matchAll(/\d{3} for \w+/g)].map(([text]) => [reason, text]),
    );
    expect(named.sort()).toEqual(exceptions.sort());
  });

  test("names every provider to which an accepted delivery is answered in another way", () => {
    for (const { name, answers } of ADAPTERS) {
      if (answers?.accepted !== undefined)
        expect(SECTION).toMatch(
          new RegExp(
            `To ${name.split(" ", 1)}, the body of a 200\\s+is \`${answers.accepted.replace(/[[\]]/g, "\\$&")}\``,
          ),
        );
    }
  });

  test("says what content type each provider sends", async () => {
    const formOnly = ADAPTERS.filter(({ contentTypes }) => contentTypes.join() === FORM).map(({ name }) => name);
    const either = ADAPTERS.filter(({ contentTypes }) => contentTypes.length > 1).map(({ name }) => name);
    const bySetting = ADAPTERS.filter(({ contentTypesOf }) => contentTypesOf).map(
      ({ name }) => `classic ${name} webhooks`,
    );
    const expected = `\`application/json\`, a form for ${[...formOnly, ...bySetting].join(" and ")}, or either for ${either.join(" and ")}`;
    expect(whatOf("content_type_unsupported")).toBe(`compressed, or not what the provider sends: ${expected}`);
  });

  test.each(Object.entries<Adapter>(PROVIDERS).filter(([slug]) => slug !== "paypal" && slug !== "custom"))(
    "a genuine delivery of %s with another content type is 415",
    async (slug, adapter) => {
      const [type = ""] = Object.keys(adapter.samples);
      const secret = slug === "braintree" ? "bt_public:bt_private" : "aabbccddaabbccdd";
      const signed = signedBy(slug as "stripe", {
        body: sampleBody(adapter, type, "evt_1") ?? "",
        type,
        secret,
        timestamp: NOW,
      });
      for (const contentType of ["application/json", FORM, "text/plain"]) {
        const { send, store } = receiver({ [slug]: enabled(secret) });
        await send(slug, { body: signed.body, headers: { ...signed.headers, "content-type": contentType } });
        const isSent = adapter.contentTypes.includes(contentType);
        expect([contentType, store.deliveries[0]?.reason]).toEqual([
          contentType,
          isSent ? "accepted" : "content_type_unsupported",
        ]);
      }
    },
  );

  test.each([
    ["a signed form where classic webhooks are accepted", true, true, FORM, "content_type_unsupported"],
    ["a signed event where classic webhooks are accepted", true, true, "application/json", "accepted"],
    ["a classic webhook that says it is JSON", true, false, "application/json", "content_type_unsupported"],
    ["a classic webhook where they are not accepted", false, false, FORM, "signature_missing"],
  ])("Mollie: %s", async (_, fetchBack, isSigned, contentType, reason) => {
    const { headers, body } = isSigned
      ? signedBy("mollie", { body: EVENT, secret: "secret", timestamp: NOW })
      : { headers: {}, body: "id=tr_1" };
    const { send, store } = receiver({ mollie: { ...enabled("secret"), settings: { fetchBack } } });
    await send("mollie", { body, headers: { ...headers, "content-type": contentType } });
    expect(store.deliveries[0]?.reason).toBe(reason);
  });
});
