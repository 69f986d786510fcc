import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { NOW, STANDARD_SECRET, STRIPE_SECRET, verdict } from "../testing/scene.ts";

const BODY = '{"id":"evt_test_1","object":"event","type":"invoice.paid"}';
const MAC = "3e3e661992c26c45d9105cbea450acc1a34f8c6dbafbd891f858c6fd9054fe3e";
const ZERO = "0".repeat(64);

describe("Stripe", () => {
  test.each([
    ["one v1", `t=${NOW},v1=${MAC}`, "accepted"],
    ["two, the first of another secret", `t=${NOW},v1=${ZERO},v1=${MAC}`, "accepted"],
    ["two, the last of another secret", `t=${NOW},v1=${MAC},v1=${ZERO}`, "accepted"],
    ["v0 beside it", `t=${NOW},v1=${MAC},v0=${ZERO}`, "accepted"],
    ["spaces after the commas", `t=${NOW}, v1=${MAC}`, "accepted"],
    ["only v0: no downgrade", `t=${NOW},v0=${MAC}`, "signature_scheme_unknown"],
    ["upper-case hex", `t=${NOW},v1=${MAC.toUpperCase()}`, "signature_malformed"],
    ["a digit short", `t=${NOW},v1=${MAC.slice(1)}`, "signature_malformed"],
    ["junk behind the hex", `t=${NOW},v1=${MAC}zz`, "signature_malformed"],
    ["junk behind the digits", `t=${NOW}junk,v1=${MAC}`, "signature_malformed"],
    ["a sign before the digits", `t=+${NOW},v1=${MAC}`, "signature_malformed"],
    ["no t", `v1=${MAC}`, "signature_malformed"],
    ["two t", `t=${NOW},v1=${MAC},t=${NOW + 1}`, "signature_malformed"],
    ["the header twice, joined", `t=${NOW},v1=${MAC}, t=${NOW},v1=${MAC}`, "signature_malformed"],
    ["another t", `t=${NOW + 1},v1=${MAC}`, "signature_mismatch"],
    ["sixteen others first", `t=${NOW},${`v1=${ZERO},`.repeat(16)}v1=${MAC}`, "signature_mismatch"],
    ["a header over 8 KB", `t=${NOW},v1=${MAC},${"x=y,".repeat(2100)}`, "signature_malformed"],
  ])("%s", async (_, header, reason) => {
    expect(await verdict("stripe", [STRIPE_SECRET], BODY, { "stripe-signature": header })).toBe(reason);
  });

  test("the key is the whole secret, not its base64 decoding", async () => {
    const bytes = Buffer.from(STANDARD_SECRET.slice("whsec_".length), "base64");
    const mac = createHmac("sha256", bytes).update(`${NOW}.${BODY}`).digest("hex");
    expect(await verdict("stripe", [STANDARD_SECRET], BODY, { "stripe-signature": `t=${NOW},v1=${mac}` })).toBe(
      "signature_mismatch",
    );
  });
});
