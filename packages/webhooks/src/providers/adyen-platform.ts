import { shortText, valueAt } from "../encoding.ts";
import { modeOfWord } from "../mode.ts";
import type { Adapter } from "./adapter.ts";
import { ADYEN_FACTS, hexKey } from "./adyen.ts";
import { type MacHeader, macOf, readMacHeader } from "./signatures.ts";

const HEADER: MacHeader = { header: "hmacsignature", algorithm: "hmac-sha256", encoding: "base64" };

/** Platform and management webhooks. The signature is a header over the body. */
export const adyenPlatform: Adapter = {
  name: "Adyen for Platforms",
  signatureName: "the HmacSignature header",
  toleranceSeconds: null,
  contentTypes: ["application/json"],
  readClaim: (incoming) => readMacHeader(incoming, HEADER),
  keysOf: hexKey,
  identify: (_incoming, payload) => [
    {
      id: null, // data.id is the object's
      type: shortText(valueAt(payload, "type")),
      objectKey:
        shortText(valueAt(payload, "data", "id")) ?? shortText(valueAt(payload, "data", "accountHolder", "id")),
      mode: modeOfWord(valueAt(payload, "environment")),
    },
  ],
  answers: { accepted: "[accepted]" },
  sign: ({ body, secret }) => {
    const [key] = hexKey(secret);
    if (!key) return { problem: "The secret is not an HMAC key in hex" };
    const mac = macOf("hmac-sha256", key.bytes, [body]).toString("base64");
    return { headers: { "content-type": "application/json", protocol: "HmacSHA256", hmacsignature: mac }, body };
  },
  facts: { ...ADYEN_FACTS, dedupe: "body_hash" },
  samples: {
    "balancePlatform.accountHolder.created": platformEvent("balancePlatform.accountHolder.created", {
      balancePlatform: "ExamplePlatform",
      accountHolder: { id: "AH00000000000000000000001", description: "{id}", status: "active" },
    }),
    "balancePlatform.transfer.updated": platformEvent("balancePlatform.transfer.updated", {
      balancePlatform: "ExamplePlatform",
      id: "{id}",
      status: "booked",
      amount: { value: 1900, currency: "EUR" },
    }),
  },
};

function platformEvent(type: string, data: unknown) {
  return { type, environment: "test", timestamp: "2026-01-01T00:00:00+01:00", data };
}
