import { describe, expect, test } from "vitest";
import { contradicts } from "../mode.ts";
import { FIXTURES } from "../testing/fixtures.ts";
import { enabled, NOW, receiver, STRIPE_SECRET } from "../testing/scene.ts";
import { signedBy } from "../testing/signers.ts";
import { PROVIDERS, type ProviderSlug } from "./index.ts";

const links = (host: string) => ({
  links: [{ href: `https://${host}/v1/notifications/webhooks-events/WH-1`, rel: "self" }],
});
const self = (host: string) => ({ _links: { self: { href: `https://${host}/workflows/events/evt_1` } } });
const items = { notificationItems: [{ NotificationRequestItem: { pspReference: "1", eventCode: "CAPTURE" } }] };
const entity = (mode: string) => ({ id: "event_1", _embedded: { entity: { mode } } });

describe("the provider's own mark of live or test", () => {
  test.each<[ProviderSlug, unknown, unknown]>([
    ["stripe", { livemode: true }, { livemode: false }],
    ["lemonsqueezy", { meta: { test_mode: false } }, { meta: { test_mode: true } }],
    ["paypal", links("api.paypal.com"), links("api.sandbox.paypal.com")],
    ["checkout", self("api.checkout.com"), self("api.sandbox.checkout.com")],
    ["adyen", { ...items, live: "true" }, { ...items, live: "false" }],
    ["adyen-platform", { environment: "live" }, { environment: "test" }],
    ["mollie", entity("live"), entity("test")],
  ])("%s marks it in the body, and a body without the mark has none", (provider, live, tested) => {
    const modeOf = (payload: unknown) =>
      PROVIDERS[provider].identify(Object({ headers: new Headers() }), payload).map(({ mode }) => mode);
    expect([modeOf(live), modeOf(tested), modeOf({ id: "1" })]).toEqual([["live"], ["test"], [undefined]]);
  });

  test.each<[ProviderSlug, string, string, string | undefined, string | undefined]>([
    ["square", "square-environment", "Production", "live", undefined],
    ["square", "square-environment", "Sandbox", "test", undefined],
    ["paypal", "paypal-cert-url", "https://api.paypal.com/v1/notifications/certs/CERT-1", "live", undefined],
    ["paypal", "paypal-cert-url", "https://api.sandbox.paypal.com/v1/notifications/certs/CERT-1", "test", undefined],
    ["shopify", "x-shopify-test", "true", "test", undefined],
    ["shopify", "x-shopify-test", "false", undefined, undefined],
  ])("%s marks it in the header %s: %s", (provider, name, value, expected, without) => {
    const modeOf = (headers: Headers) => PROVIDERS[provider].identify(Object({ headers }), {})[0].mode;
    expect([modeOf(new Headers({ [name]: value })), modeOf(new Headers())]).toEqual([expected, without]);
  });

  test.each(["yes", 1, null, {}, [], "https://api.sandbox.paypal.com.evil.test/", "not a url", "x".repeat(5000)])(
    "a mark that the provider does not set is none: %j",
    (value) => {
      const payload = {
        livemode: value,
        live: value,
        environment: value,
        meta: { test_mode: value },
        links: [{ href: value }],
        _links: { self: { href: value } },
      };
      for (const [slug, adapter] of Object.entries(PROVIDERS)) {
        if (slug === "adyen" || slug === "custom") continue;
        const [{ mode }] = adapter.identify(Object({ headers: new Headers(), endpoint: { settings: {} } }), payload);
        expect(mode).toBeUndefined();
      }
    },
  );

  test("every event of a batch has the mark of the batch", () => {
    const batch = { live: "false", notificationItems: [...items.notificationItems, ...items.notificationItems] };
    expect(PROVIDERS.adyen.identify(Object({}), batch).map(({ mode }) => mode)).toEqual(["test", "test"]);
  });

  test("a delivery is stored with its mark, a rejected one too", async () => {
    const { send, store } = receiver({ stripe: enabled(STRIPE_SECRET), svix: enabled(FIXTURES.svix.secret) });
    for (const [secret, livemode] of [
      [STRIPE_SECRET, false],
      ["whsec_other", true],
    ] as const)
      await send(
        "stripe",
        signedBy("stripe", { body: JSON.stringify({ id: "evt_1", livemode }), secret, timestamp: NOW }),
      );
    await send("svix", signedBy("svix", { body: '{"livemode":true}', secret: FIXTURES.svix.secret, timestamp: NOW }));
    expect(store.deliveries.map(({ reason, mode }) => [reason, mode])).toEqual([
      ["accepted", "test"],
      ["signature_mismatch", "live"],
      ["accepted", null],
    ]);
  });

  test.each([
    ["test", "production", true],
    ["live", "staging", true],
    ["live", "development", true],
    ["live", "production", false],
    ["test", "staging", false],
    [null, "production", false],
    [null, "development", false],
  ] as const)("the mark %s in %s contradicts it: %s", (mode, environment, expected) => {
    expect(contradicts(mode, environment)).toBe(expected);
  });
});
