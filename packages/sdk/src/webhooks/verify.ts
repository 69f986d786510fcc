import { GatehouseError } from "../error.ts";
import type { Environment } from "../options.ts";
import { type RawRequest, readBody } from "./body.ts";
import { payloadOf } from "./payload.ts";
import { assertSigned } from "./signature.ts";

/**
 * The payload of each provider's events. Empty: declare those that you receive, with the vendor's own types.
 *
 * ```ts
 * declare module "@gatehouse/sdk/webhooks" {
 *   interface WebhookPayloads {
 *     stripe: Stripe.Event;
 *   }
 * }
 * ```
 */
// biome-ignore lint/suspicious/noEmptyInterface: products add members to it
export interface WebhookPayloads {}

/** A verified event. */
export type WebhookEvent<Provider extends string = string> = {
  /** One for each event, at every attempt. Remember it: an event can come twice. */
  id: string;
  provider: Provider;
  /** The endpoint of the server that received it. */
  endpoint: string;
  /** As the provider calls it, such as `invoice.paid`; null if it has no type. */
  type: string | null;
  environment: Environment;
  /** The parsed body: JSON, or the fields of a form. As declared in {@link WebhookPayloads}, otherwise `unknown`. */
  payload: Provider extends keyof WebhookPayloads ? WebhookPayloads[Provider] : unknown;
};

export type WebhookOptions<Provider extends string> = {
  /** `whsec_…`, as the console showed it. Several while one replaces the other. */
  secret: string | readonly string[];
  /** Accepts events of this provider alone, and gives the payload its type. */
  provider?: Provider;
  /** Milliseconds. Default `Date.now`. */
  now?: () => number;
};

/**
 * Verifies an event that a Gatehouse server forwarded, and parses it. The signature is that of Standard Webhooks 1.0,
 * over the bytes as they came; its time may be 5 minutes away from this clock. The body has 1 MiB at most. PK-57.
 *
 * @throws GatehouseError `invalid_request` (status 400) for a request that is not signed with one of the secrets, too
 *   old, too large or of another provider; `configuration` if a secret is missing or malformed, or if something read the
 *   body before.
 */
export async function verifyWebhook<Provider extends string = string>(
  request: Request | RawRequest,
  { secret, provider, now = Date.now }: WebhookOptions<Provider>,
): Promise<WebhookEvent<Provider>> {
  const headers = headersOf(request.headers);
  const body = await readBody(request);
  const id = await assertSigned(headers, body, typeof secret === "string" ? [secret] : (secret ?? []), now());
  const about = factsOf(headers);
  if (provider !== undefined && about.provider !== provider)
    throw new GatehouseError("invalid_request", `The event is of another provider than ${provider}.`);
  const payload = payloadOf(body, headers.get("content-type") ?? "", about.provider);
  return { id, ...about, payload } as WebhookEvent<Provider>;
}

function headersOf(headers: RawRequest["headers"]): Headers {
  if (headers instanceof Headers) return headers;
  const given = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, typeof value === "string" ? value : value.join(", ")] as [string, string]],
  );
  return new Headers(given);
}

const ENVIRONMENTS: readonly Environment[] = ["development", "staging", "production"];

/** What the server says about the event. The secret belongs to one endpoint, so it vouches for these. */
function factsOf(headers: Headers) {
  const provider = headers.get("gatehouse-provider");
  const endpoint = headers.get("gatehouse-endpoint");
  const environment = ENVIRONMENTS.find((name) => name === headers.get("gatehouse-environment"));
  if (!provider || !endpoint || !environment)
    throw new GatehouseError("invalid_request", "The headers that say what the event is are missing or unknown.");
  return { provider, endpoint, environment, type: typeOf(headers.get("gatehouse-event-type")) };
}

function typeOf(header: string | null): string | null {
  if (header === null) return null;
  try {
    return decodeURIComponent(header);
  } catch {
    throw new GatehouseError("invalid_request", "The header gatehouse-event-type is not percent-encoded.");
  }
}
