import { WebhooksHelper } from "square";
import { describe, expect, test } from "vitest";
import { enabled, receiver } from "../testing/scene.ts";
import { signedBy } from "../testing/signers.ts";
import { square } from "./square.ts";

const SECRET = "asdf1234";
const BODY = '{"hello":"world"}';
const REGISTERED = "https://example.com/webhook";
const OWN = "https://gatehouse.test/api/webhooks/square";

async function reasonFor(
  signature: string,
  settings: Record<string, unknown>,
  body = BODY,
): Promise<string | undefined> {
  const { send, store } = receiver({ square: { ...enabled(SECRET), settings } });
  await send("square", {
    body,
    headers: { "content-type": "application/json", "x-square-hmacsha256-signature": signature },
  });
  return store.deliveries[0]?.reason;
}

const signatureOf = (url: string, body = BODY) =>
  signedBy("square", { body, secret: SECRET, timestamp: 0, url }).headers["x-square-hmacsha256-signature"] ?? "";

describe("Square", () => {
  test("the official vector is accepted", async () => {
    const signature = "2kRE5qRU2tR+tBGlDwMEw2avJ7QM4ikPYD/PJ3bd9Og=";
    expect(await reasonFor(signature, { notificationUrl: REGISTERED })).toBe("accepted");
  });

  test("the URL is the endpoint's own unless it is configured, byte for byte, whatever the request says", async () => {
    expect(await reasonFor(signatureOf(OWN), {})).toBe("accepted");
    expect(await reasonFor(signatureOf(`${OWN}/`), {})).toBe("signature_mismatch");
    expect(await reasonFor(signatureOf(`${OWN}/`), { notificationUrl: `${OWN}/` })).toBe("accepted");
    expect(await reasonFor(signatureOf(REGISTERED.toUpperCase()), { notificationUrl: REGISTERED })).toBe(
      "signature_mismatch",
    );
  });

  test.each([
    [undefined, true],
    [REGISTERED, true],
    ["", false],
    ["/api/webhooks/square", false],
    [7, false],
  ])("a notification URL of %j is valid: %j", (notificationUrl, valid) => {
    expect(square.settingsProblems?.({ notificationUrl })).toHaveLength(valid ? 0 : 1);
  });

  test.each([
    ["a genuine delivery", BODY, REGISTERED, true],
    ["an altered body", `${BODY} `, REGISTERED, false],
    ["another URL", BODY, `${REGISTERED}?`, false],
  ])("Square's library agrees about %s", async (_, requestBody, notificationUrl, valid) => {
    const signatureHeader = signatureOf(REGISTERED);
    expect(
      await WebhooksHelper.verifySignature({ requestBody, signatureHeader, signatureKey: SECRET, notificationUrl }),
    ).toBe(valid);
    expect(await reasonFor(signatureHeader, { notificationUrl }, requestBody)).toBe(
      valid ? "accepted" : "signature_mismatch",
    );
  });
});
