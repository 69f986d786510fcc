import type { Adapter, MessageToSign } from "../providers/adapter.ts";
import { PROVIDERS, type ProviderSlug } from "../providers/index.ts";

/** What can be left out of a message: a test that does not care about it. */
export type TestMessage = Pick<MessageToSign, "secret" | "timestamp"> &
  Partial<Omit<MessageToSign, "body">> & { body: string | Uint8Array };

/** The delivery that the provider sends for this message. Throws if the provider's secrets cannot sign. */
export function signedBy(
  provider: ProviderSlug,
  message: TestMessage,
): { headers: Record<string, string>; body: Uint8Array<ArrayBuffer> } {
  const adapter: Adapter = PROVIDERS[provider];
  const body = typeof message.body === "string" ? new TextEncoder().encode(message.body) : message.body;
  const url = `https://gatehouse.test/api/webhooks/${provider}`;
  const signed = adapter.sign({ type: null, id: "msg_1", url, settings: {}, ...message, body });
  if ("problem" in signed) throw new Error(signed.problem);
  return { headers: signed.headers, body: new Uint8Array(signed.body) };
}

/** The headers that Stripe sends with this body, signed at `timestamp` (Unix seconds). */
export function stripeHeaders(body: string | Uint8Array, secret: string, timestamp: number): Record<string, string> {
  return signedBy("stripe", { body, secret, timestamp }).headers;
}
