import { type AdapterSettings, PROVIDERS, type ProviderSlug } from "@gatehouse/webhooks";

type DeliveryToSign = {
  provider: ProviderSlug;
  url: string;
  secret: string;
  body: Uint8Array;
  /** As the provider identifies the event. */
  id: string;
  type: string | null;
  /** Of the endpoint; by default none. */
  settings?: AdapterSettings;
};

type SignedRequest = { url: string; headers: Record<string, string>; body: Uint8Array<ArrayBuffer> };

/**
 * The status of the response and how long it took, or why there was none. `deliveryId`: the one that a Gatehouse gave
 * it.
 */
export type SendResult = { status: number; ms: number; text: string; deliveryId: string | null } | { problem: string };

const TIMEOUT_MS = 30_000;
const MAX_TEXT = 2000;

/** Signs the body now as the provider does, and posts it. Never rejects. */
export async function sendSigned(delivery: DeliveryToSign): Promise<SendResult> {
  const signed = signRequest(delivery, Math.floor(Date.now() / 1000));
  return "problem" in signed ? signed : postSigned(signed);
}

/** The request that the provider would send at `timestamp`, or why nobody else can sign it. */
export function signRequest(
  { provider, url, secret, body, id, type, settings = {} }: DeliveryToSign,
  timestamp: number,
): SignedRequest | { problem: string } {
  const adapter = PROVIDERS[provider];
  const signed = adapter.sign({ body, type, id, secret, timestamp, url, settings });
  if ("problem" in signed) return { problem: signed.problem };
  const headers = { "content-type": adapter.contentTypes[0] ?? "application/json", ...signed.headers };
  return { url, headers, body: new Uint8Array(signed.body) };
}

/** Posts a request, without following redirects, as providers do not. Never rejects. */
export async function postSigned(
  { url, headers, body }: SignedRequest,
  timeoutMs: number = TIMEOUT_MS,
): Promise<SendResult> {
  const began = performance.now();
  try {
    const response = await fetch(url, {
      method: "POST",
      headers,
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = (await response.text()).slice(0, MAX_TEXT);
    const deliveryId = response.headers.get("gatehouse-delivery-id");
    return { status: response.status, ms: Math.round(performance.now() - began), text, deliveryId };
  } catch (cause) {
    return { problem: problemOf(cause, url, timeoutMs) };
  }
}

function problemOf(cause: unknown, url: string, timeoutMs: number): string {
  if (cause instanceof Error && cause.name === "TimeoutError")
    return `no answer from ${url} within ${timeoutMs / 1000} s`;
  const code = cause instanceof Error && cause.cause instanceof Error ? Reflect.get(cause.cause, "code") : undefined;
  return code === "ECONNREFUSED" ? `nothing listens at ${url}` : `${url} could not be reached (${code ?? cause})`;
}
