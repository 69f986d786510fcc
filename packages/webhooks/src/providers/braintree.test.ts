import { BraintreeGateway, Environment } from "braintree";
import { describe, expect, test } from "vitest";
import { receive } from "../receive.ts";
import { enabled, receiver } from "../testing/scene.ts";
import { signedBy } from "../testing/signers.ts";

const SECRET = "bt_public:bt_private";
const FORM = { "content-type": "application/x-www-form-urlencoded" };
/** From the source of Braintree's library: HMAC-SHA1 keyed with SHA-1 of the private key. */
const VECTOR = {
  bt_signature: "bt_public|eeac4b87e89846a7ef479fbf33d8b3b96e62790a",
  bt_payload: "PG5vdGlmaWNhdGlvbj48a2luZD5jaGVjazwva2luZD48L25vdGlmaWNhdGlvbj4=\n",
};

async function deliver(form: Record<string, string>, ...secrets: string[]) {
  const { send, store } = receiver({ braintree: enabled(...(secrets.length > 0 ? secrets : [SECRET])) });
  const response = await send("braintree", { body: new URLSearchParams(form).toString(), headers: FORM });
  return { status: response.status, row: store.deliveries[0] };
}

const gateway = (privateKey = "bt_private") =>
  new BraintreeGateway({
    environment: Environment.Sandbox,
    merchantId: "merchant",
    publicKey: "bt_public",
    privateKey,
  });

describe("Braintree", () => {
  test("the derived vector is accepted, with its kind as the type", async () => {
    expect(await deliver(VECTOR)).toMatchObject({
      status: 200,
      row: { reason: "accepted", eventType: "check", secretId: "s0" },
    });
  });

  test("the pair of the own public key counts, wherever it stands and however many there are", async () => {
    const others = Array.from({ length: 40 }, (_, at) => `other_${at}|${"0".repeat(40)}`).join("&");
    for (const bt_signature of [`${others}&${VECTOR.bt_signature}`, `${VECTOR.bt_signature}&${others}`]) {
      expect(await deliver({ ...VECTOR, bt_signature })).toMatchObject({ row: { reason: "accepted" } });
    }
    expect(await deliver({ ...VECTOR, bt_signature: others })).toMatchObject({ row: { reason: "signature_mismatch" } });
  });

  test("another private key, another public key's signature and a changed payload do not match", async () => {
    expect(await deliver(VECTOR, "bt_public:other")).toMatchObject({ row: { reason: "signature_mismatch" } });
    expect(await deliver({ ...VECTOR, bt_payload: VECTOR.bt_payload.trim() })).toMatchObject({
      row: { reason: "signature_mismatch" },
    });
  });

  test.each<[string, Record<string, string>, string]>([
    ["no form field", {}, "signature_missing"],
    ["no signature", { bt_payload: VECTOR.bt_payload }, "signature_missing"],
    ["an empty signature", { ...VECTOR, bt_signature: "" }, "signature_missing"],
    ["no payload", { bt_signature: VECTOR.bt_signature }, "signature_missing"],
    ["a payload that is not base64", { ...VECTOR, bt_payload: "<xml/>" }, "signature_missing"],
    [
      "a signature without a key",
      { ...VECTOR, bt_signature: "eeac4b87e89846a7ef479fbf33d8b3b96e62790a" },
      "signature_malformed",
    ],
    ["upper-case hex", { ...VECTOR, bt_signature: VECTOR.bt_signature.toUpperCase() }, "signature_malformed"],
    ["10,000 signatures", { ...VECTOR, bt_signature: `${VECTOR.bt_signature}&`.repeat(10_000) }, "signature_malformed"],
  ])("%s is refused", async (_, form, reason) => {
    expect(await deliver(form)).toMatchObject({ status: 400, row: { reason } });
  });

  test("a genuine payload that is no notification is not accepted, nor is one behind twenty other fields", async () => {
    const { headers, body } = signedBy("braintree", { body: "<other/>", secret: SECRET, timestamp: 0 });
    const { send, store } = receiver({ braintree: enabled(SECRET) });
    await send("braintree", { headers, body });
    await send("braintree", { headers, body: `${"a=&".repeat(20)}${new URLSearchParams(VECTOR)}` });
    expect(store.deliveries.map(({ reason }) => reason)).toEqual(["unparsable", "signature_missing"]);
  });

  test("a secret without both keys is not usable", async () => {
    expect(await deliver(VECTOR, "bt_private")).toMatchObject({
      status: 503,
      row: { reason: "secret_not_configured" },
    });
  });

  test("an event that is sent again under other keys of the account is a duplicate", async () => {
    const { send, store } = receiver({ braintree: enabled(SECRET, "next:key") });
    for (const secret of [SECRET, "next:key"]) {
      const { headers, body } = signedBy("braintree", {
        body: "<notification><kind>check</kind></notification>",
        secret,
        timestamp: 0,
      });
      await send("braintree", { headers, body });
    }
    expect(store.deliveries.map(({ reason, secretId }) => [reason, secretId])).toEqual([
      ["accepted", "s0"],
      ["duplicate", "s1"],
    ]);
  });

  test("a kind inside the object is not that of the event", async () => {
    const xml =
      "<notification><kind>dispute_opened</kind><subject><dispute><kind>chargeback</kind></dispute></subject></notification>";
    const { send, store } = receiver({ braintree: enabled(SECRET) });
    await send("braintree", signedBy("braintree", { body: xml, secret: SECRET, timestamp: 0 }));
    expect(store.deliveries).toMatchObject([{ reason: "accepted", eventType: "dispute_opened", eventId: null }]);
  });

  describe("the check of a new URL, GET ?bt_challenge=", () => {
    async function challenge(query: string, ...secrets: string[]) {
      const scene = receiver({ braintree: enabled(...secrets) });
      const request = new Request(`https://gatehouse.test/api/webhooks/braintree${query}`);
      const response = await receive(request, "braintree", scene.deps, { address: "192.0.2.7" });
      return { status: response.status, text: await response.text() };
    }

    test("is answered as Braintree's library does", async () => {
      const value = "20f9f8ed05f77439fe955c977e4c8a53";
      // Its types leave `verify` out.
      const { webhookNotification } = gateway() as unknown as {
        webhookNotification: { verify(challenge: string): string };
      };
      const expected = webhookNotification.verify(value);
      expect(await challenge(`?bt_challenge=${value}`, SECRET)).toEqual({ status: 200, text: expected });
    });

    test.each([
      "",
      "?bt_challenge=",
      "?bt_challenge=xyz",
      "?bt_challenge=20F9F8ED05F77439FE955C977E4C8A53",
      "?other=1",
    ])(
      "with anything but 20 to 32 hex digits (%j) is an ordinary GET, since a payload must not be signed",
      async (query) => expect((await challenge(query, SECRET)).status).toBe(405),
    );

    test("without keys asks to try again", async () => {
      expect((await challenge("?bt_challenge=20f9f8ed05f77439fe955c977e4c8a53")).status).toBe(503);
    });
  });

  test.each([
    ["a genuine delivery", "bt_private", (payload: string) => payload, true],
    ["another private key", "other", (payload: string) => payload, false],
    ["an altered payload", "bt_private", (payload: string) => payload.replace("P", "Q"), false],
  ])("Braintree's library agrees about %s", async (_, privateKey, alter, valid) => {
    const sample = await gateway().webhookTesting.sampleNotification("subscription_charged_successfully", "sub_1");
    const payload = alter(sample.bt_payload);
    const parsed = gateway(privateKey).webhookNotification.parse(sample.bt_signature, payload);
    expect(
      await parsed.then(
        ({ kind }) => kind,
        () => "refused",
      ),
    ).toBe(valid ? "subscription_charged_successfully" : "refused");
    const { row } = await deliver(
      { bt_signature: sample.bt_signature, bt_payload: payload },
      `bt_public:${privateKey}`,
    );
    expect(row?.reason).toBe(valid ? "accepted" : "signature_mismatch");
    if (valid) expect(row?.eventType).toBe("subscription_charged_successfully");
  });
});
