import type { EndpointSettings } from "../endpoint.ts";
import type { ReceiveDeps } from "../hit.ts";
import { receive } from "../receive.ts";
import { type MemoryWebhookStore, memoryWebhookStore } from "./memory-store.ts";
import { UNREACHABLE_PROVIDERS } from "./outbound.ts";

export const NOW = 1_700_000_000;
export const STRIPE_SECRET = "whsec_test_secret";
export const STANDARD_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/** The settings of an endpoint. By default it is the one that is named like its provider. */
type Configured = Omit<EndpointSettings, "slug" | "provider"> & Partial<EndpointSettings>;

/** An enabled endpoint with these secrets; their ids are `s0`, `s1`, … */
export function enabled(...values: string[]): Configured {
  const secrets = values.map((value, index) => ({ id: `s${index}`, value }));
  return { environment: "production", enabled: true, settings: {}, secrets, apiKeys: [], unreadableSecrets: 0 };
}

export type Sent = {
  body?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
  headers?: Record<string, string>;
  method?: string;
};

/** A receiver with a frozen clock and a store in memory. */
export function receiver(
  endpoints: Record<string, Configured>,
  { now = NOW, outbound = UNREACHABLE_PROVIDERS }: { now?: number; outbound?: ReceiveDeps["outbound"] } = {},
) {
  const store: MemoryWebhookStore = memoryWebhookStore(
    Object.fromEntries(
      Object.entries(endpoints).map(([slug, endpoint]) => [slug, { slug, provider: slug, ...endpoint }]),
    ),
  );
  const reported: unknown[] = [];
  let ids = 0;
  const deps = {
    store,
    outbound,
    handlersFor: () => [],
    baseUrl: "https://gatehouse.test",
    now: () => now,
    nowMs: () => 0,
    random: (length: number) => new Uint8Array(length).fill(++ids % 256),
    report: (error: unknown) => reported.push(error),
  };
  const send = (
    provider: string,
    { body = null, headers = {}, method = "POST" }: Sent,
    address: string | null = "192.0.2.7",
  ) => {
    const init = { method, headers, body: method === "GET" ? null : body, duplex: "half" } as RequestInit;
    return receive(new Request(`https://gatehouse.test/api/webhooks/${provider}`, init), provider, deps, { address });
  };
  return { store, reported, deps, send };
}

/** The reason with which a JSON body with these headers is accepted or rejected. */
export async function verdict(
  provider: string,
  secrets: string[],
  body: string,
  headers: Record<string, string>,
  now = NOW,
): Promise<string> {
  const { send, store } = receiver({ [provider]: enabled(...secrets) }, { now });
  await send(provider, { body, headers: { "content-type": "application/json", ...headers } });
  return store.deliveries[0]?.reason ?? "nothing logged";
}
