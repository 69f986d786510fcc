import { BODY_SECONDS, createRowLimiter, networkKey } from "@gatehouse/net";
import { received, refused, unavailable, unknownProvider } from "./answer.ts";
import { readBody } from "./body.ts";
import { type EndpointSettings, toleranceOf } from "./endpoint.ts";
import { type KeyedEvent, withKeys } from "./events.ts";
import { describeHit, type Hit, incomingOf, logRefusal, type ReceiveDeps, startHit } from "./hit.ts";
import type { Incoming } from "./incoming.ts";
import type { Adapter, EventIdentity, FetchDeps, SignedClaim } from "./providers/adapter.ts";
import { isProvider, PROVIDERS } from "./providers/index.ts";
import type { Refusal } from "./reasons.ts";
import type { DeliveredEvent } from "./store.ts";
import { findSigner, type UsableSecret, usableSecrets } from "./verify.ts";

type Verdict = { reason: "accepted"; events: readonly [DeliveredEvent, ...DeliveredEvent[]] } | { reason: Refusal; detail?: string };

/**
 * Receives one delivery: `POST /api/webhooks/<endpoint>`.
 *
 * Responds with 200 once the delivery is committed, new or not; with 4xx if the sender has to change something; with 503 if we have
 * to (no readable secret, store down), so that the sender retries. Never rejects. Every hit on a known endpoint is logged, rejected
 * ones within limits. The order of the checks matters: a delivery without a signature is reported as such even if no secret is
 * configured.
 */
export async function receive(request: Request, slug: string, deps: ReceiveDeps, caller: { address: string | null }): Promise<Response> {
  try {
    const startedMs = deps.nowMs();
    const endpoint = await findEndpoint(slug, deps);
    if (!endpoint || !isProvider(endpoint.provider)) {
      // The caller can invent any number of slugs, so all unknown ones share a count.
      await attempt(deps.store.countOverflow("unknown", "provider_unknown", deps.now()), deps);
      return unknownProvider(Object.keys(PROVIDERS));
    }
    const adapter = PROVIDERS[endpoint.provider];
    const handshake = request.method === "GET" && endpoint.enabled ? adapter.handshake?.(queryOf(request), endpoint) : undefined;
    if (handshake) return handshake;

    const hit = startHit({ request, endpoint, adapter, address: caller.address, startedMs }, deps);
    const verdict = await judge(hit, deps);
    if (verdict.reason !== "accepted") {
      await attempt(logRefusal(hit, verdict.reason, deps), deps);
      return refused(verdict.reason, verdict.detail, hit.id, adapter);
    }
    const [event] = verdict.events;
    const isNew = await deps.store.acceptDelivery(describeHit(hit, "accepted", event, deps), verdict.events);
    return received(isNew ? "accepted" : "duplicate", hit.id, adapter);
  } catch (error) {
    report(error, deps);
    return unavailable();
  }
}

/** The endpoint's configuration. The endpoint that is named like a provider exists even before it is configured. */
async function findEndpoint(slug: string, { store }: ReceiveDeps): Promise<EndpointSettings | undefined> {
  if (!SLUG.test(slug)) return undefined;
  const found = await store.findEndpoint(slug);
  return found ?? (isProvider(slug) ? { ...UNCONFIGURED, slug, provider: slug } : undefined);
}

const SLUG = /^[a-z0-9][a-z0-9-]{0,62}$/;
const UNCONFIGURED = { environment: "production", enabled: true, settings: {}, secrets: [], apiKeys: [], unreadableSecrets: 0 } as const;

const queryOf = ({ url }: Request) => new URLSearchParams(url.includes("?") ? url.slice(url.indexOf("?")) : "");

async function judge(hit: Hit, deps: ReceiveDeps): Promise<Verdict> {
  const { adapter, request, endpoint } = hit;
  if (request.method !== "POST") return { reason: "method_not_allowed" };
  if (!endpoint.enabled) return { reason: "provider_disabled" };

  const body = await readBody(request);
  hit.body = body;
  hit.incoming = incomingOf(hit, body.bytes, deps);
  if (body.kind === "too_large") return { reason: "payload_too_large" };
  if (body.kind === "incomplete") return { reason: "unparsable", detail: "it ended early" };
  if (body.kind === "late") return { reason: "unparsable", detail: `it took longer than ${BODY_SECONDS} s to arrive` };

  const claim = adapter.readClaim(hit.incoming);
  if (claim.kind === "missing") return { reason: "signature_missing", detail: `${adapter.signatureName} is missing` };
  if (!isSupportedType(request.headers, adapter)) {
    return { reason: "content_type_unsupported", detail: `it must be uncompressed ${adapter.contentTypes.join(" or ")}` };
  }
  if (claim.kind === "malformed") return { reason: "signature_malformed", detail: claim.problem };
  if (claim.kind === "scheme_unknown") return { reason: "signature_scheme_unknown", detail: `it has only ${claim.schemes.join(", ")}` };
  if (claim.kind === "fetch_back") return judgeByFetch(hit, deps);
  return (await judgeSignature(claim, hit, deps)) ?? judgeTime(claim, hit) ?? judgePayload(hit, deps);
}

async function judgeSignature(claim: SignedClaim, hit: Hit, deps: ReceiveDeps): Promise<Verdict | undefined> {
  const { adapter, endpoint, incoming } = hit;
  if (claim.timestamp !== null) hit.skewSeconds = claim.timestamp - hit.receivedAt;

  const secrets = usableSecrets(adapter, endpoint);
  if (secrets.length === 0) return { reason: endpoint.unreadableSecrets > 0 ? "secret_unreadable" : "secret_not_configured" };
  try {
    const signer = findSigner(claim, adapter.fetchKeys ? await fetchKeys(claim, incoming, adapter.fetchKeys, secrets, deps) : secrets);
    if (signer === undefined) return { reason: "signature_mismatch" };
    hit.secretId = signer;
    return undefined;
  } catch (error) {
    report(error, deps);
    return { reason: "provider_unreachable" };
  }
}

function fetchKeys(
  claim: SignedClaim,
  incoming: Incoming,
  fetch: NonNullable<Adapter["fetchKeys"]>,
  secrets: readonly UsableSecret[],
  deps: ReceiveDeps,
) {
  return Promise.all(secrets.map(async ({ id, value }) => ({ id, keys: await fetch(claim, incoming, value, fetchDeps(deps)) })));
}

const fetchDeps = ({ outbound, now }: ReceiveDeps): FetchDeps => ({ ...outbound, now });

/** Checks both sides of the window: a timestamp in the future would stay replayable until then. */
function judgeTime({ timestamp }: SignedClaim, { adapter, endpoint, receivedAt }: Hit): Verdict | undefined {
  const allowed = toleranceOf(adapter, endpoint);
  if (timestamp === null || allowed === null) return undefined;
  const skew = timestamp - receivedAt;
  if (skew < -allowed) return { reason: "timestamp_too_old", detail: `${-skew} s ago, ${allowed} s are allowed` };
  if (skew > allowed) return { reason: "timestamp_in_future", detail: `${skew} s ahead of our clock, ${allowed} s are allowed` };
  return undefined;
}

/** Accepts anything parsable that the sender signed, of known type or not. */
function judgePayload(hit: Hit, deps: ReceiveDeps): Verdict {
  const { adapter, incoming } = hit;
  const parsed = incoming.parsed();
  if (!parsed) return { reason: "unparsable" };
  return acceptedAs(adapter.identify(incoming, parsed.payload), hit, deps);
}

/** Requests per minute that unsigned deliveries can cause: from one network, networks, in total. */
const confirmations = createRowLimiter(300, 1000, 3000);

/** Without a signature, the provider's API says whether the event exists. */
async function judgeByFetch(hit: Hit, deps: ReceiveDeps): Promise<Verdict> {
  const { adapter, endpoint, incoming } = hit;
  const [key] = endpoint.apiKeys;
  if (!key || !adapter.fetchBack) return { reason: "secret_not_configured", detail: "an API key is needed to confirm the delivery" };
  const parsed = incoming.parsed();
  if (!parsed) return { reason: "unparsable" };
  if (!confirmations(endpoint.slug, networkKey(hit), hit.receivedAt)) {
    return { reason: "provider_unreachable", detail: "too many deliveries to confirm in this minute" };
  }
  try {
    const [first, ...rest] = await adapter.fetchBack(incoming, parsed.payload, key.value, fetchDeps(deps));
    if (!first) return { reason: "signature_mismatch", detail: `${adapter.name} does not know this event` };
    return acceptedAs([first, ...rest], hit, deps);
  } catch (error) {
    report(error, deps);
    return { reason: "provider_unreachable" };
  }
}

function acceptedAs(identities: readonly [EventIdentity, ...EventIdentity[]], hit: Hit, deps: ReceiveDeps): Verdict {
  const { endpoint, incoming } = hit;
  const handlersFor = hit.source === "probe" ? () => [] : deps.handlersFor;
  const delivered = ({ key, id, type, objectKey, payload = incoming.parsed()?.payload }: KeyedEvent): DeliveredEvent => {
    const handlers = handlersFor({ provider: endpoint.provider, endpoint: endpoint.slug, type, objectKey, payload });
    return { key, id, type, objectKey, handlers };
  };
  const [first, ...rest] = withKeys(identities, incoming.body);
  return { reason: "accepted", events: [delivered(first), ...rest.map(delivered)] };
}

function isSupportedType(headers: Headers, { contentTypes }: Adapter): boolean {
  const type = headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() ?? "identity";
  return contentTypes.includes(type) && (encoding === "identity" || encoding === "");
}

/** A rejection stands even if it could not be logged. */
async function attempt(write: Promise<void>, deps: ReceiveDeps): Promise<void> {
  try {
    await write;
  } catch (error) {
    report(error, deps);
  }
}

function report(error: unknown, deps: ReceiveDeps): void {
  (deps.report ?? console.error)(error);
}
