import { PROVIDERS, type ProviderSlug } from "@gatehouse/webhooks";

export type SignedDelivery = {
  provider: ProviderSlug;
  url: string;
  secret: string;
  body: Uint8Array;
  /** As the provider identifies the event. */
  id: string;
  type: string | null;
};

/** The status of the response and how long it took, or why there was none. */
export type SendResult = { status: number; ms: number; text: string } | { problem: string };

const TIMEOUT_MS = 30_000;
const MAX_TEXT = 2000;

/**
 * Signs the body now as the provider does, and posts it. Does not follow redirects, as providers do not. Never rejects.
 */
export async function sendSigned({ provider, url, secret, body, id, type }: SignedDelivery): Promise<SendResult> {
  const adapter = PROVIDERS[provider];
  const timestamp = Math.floor(Date.now() / 1000);
  const signed = adapter.sign({ body, type, id, secret, timestamp, url, settings: {} });
  if ("problem" in signed) return { problem: signed.problem };
  const headers = { "content-type": adapter.contentTypes[0] ?? "application/json", ...signed.headers };
  const began = performance.now();
  try {
    const response = await fetch(url, {
      method: "POST",
      headers,
      body: new Uint8Array(signed.body),
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = (await response.text()).slice(0, MAX_TEXT);
    return { status: response.status, ms: Math.round(performance.now() - began), text };
  } catch (cause) {
    return { problem: problemOf(cause, url) };
  }
}

function problemOf(cause: unknown, url: string): string {
  if (cause instanceof Error && cause.name === "TimeoutError")
    return `no answer from ${url} within ${TIMEOUT_MS / 1000} s`;
  const code = cause instanceof Error && cause.cause instanceof Error ? Reflect.get(cause.cause, "code") : undefined;
  return code === "ECONNREFUSED" ? `nothing listens at ${url}` : `${url} could not be reached (${code ?? cause})`;
}
