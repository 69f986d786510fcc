import { describe, expect, test } from "vitest";
import { receive } from "../receive.ts";
import { enabled, receiver, type Sent } from "../testing/scene.ts";
import type { Adapter } from "./adapter.ts";
import { PROVIDERS } from "./index.ts";

type Forgery = {
  secret: string;
  /** Texts that the provider, or anybody, can ask to have signed. */
  challenges: readonly string[];
  query: (challenge: string) => string;
  /** A delivery that claims what the answer has signed. */
  deliver: (challenge: string, answer: string) => Sent;
};

/** One for each provider that checks URLs. */
const FORGERIES: Record<string, Forgery> = {
  braintree: {
    secret: "bt_public:bt_private",
    challenges: ["20f9f8ed05f77439fe955c977e4c8a53", "a".repeat(20), "0123456789abcdef0123456789abcdef"],
    query: (challenge) => `?bt_challenge=${challenge}`,
    deliver: (challenge, answer) => ({
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ bt_signature: answer, bt_payload: challenge }).toString(),
    }),
  },
};

describe("what the check of a URL signs for anybody is no delivery", () => {
  const checked = Object.entries<Adapter>(PROVIDERS).filter(([, { handshake }]) => handshake);

  test("every provider that checks URLs is tried", () => {
    expect(checked.map(([slug]) => slug)).toEqual(Object.keys(FORGERIES));
  });

  test.each(Object.entries(FORGERIES))("%s", async (slug, { secret, challenges, query, deliver }) => {
    const { send, store, deps } = receiver({ [slug]: enabled(secret) });
    for (const challenge of challenges) {
      const check = new Request(`https://gatehouse.test/api/webhooks/${slug}${query(challenge)}`);
      const answer = await receive(check, slug, deps, { address: "192.0.2.7" });
      expect(answer.status).toBe(200);
      expect((await send(slug, deliver(challenge, await answer.text()))).status).toBe(400);
    }
    expect(store.deliveries.map(({ reason }) => reason)).toEqual(challenges.map(() => "signature_malformed"));
  });
});
