import { BODY_SECONDS, createShareLimiter, siteKey } from "@gatehouse/runtime";
import { readBody } from "./body.ts";
import { toleranceOf } from "./endpoint.ts";
import { type KeyedEvent, withKeys } from "./events.ts";
import { type Hit, incomingOf, type ReceiveDeps, report } from "./hit.ts";
import type { Incoming } from "./incoming.ts";
import type { Adapter, EventIdentity, FetchDeps, SignedClaim } from "./providers/adapter.ts";
import type { RejectionReason } from "./reasons.ts";
import type { DeliveredEvent } from "./store.ts";
import { findSigner, readClaim, type UsableSecret, usableSecrets } from "./verify.ts";

export type Verdict =
  | { reason: "accepted"; events: readonly [DeliveredEvent, ...DeliveredEvent[]] }
  | { reason: RejectionReason; detail?: string };

/**
 * Decides on a hit by the checks in their order, and notes in it what they find out. Rejects only if the request cannot
 * be read.
 */
export async function checkDelivery(hit: Hit, deps: ReceiveDeps): Promise<Verdict> {
  const { adapter, request, endpoint } = hit;
  if (request.method !== "POST") return { reason: "method_not_allowed" };
  if (!endpoint.enabled) return { reason: "provider_disabled" };

  const body = await readBody(request);
  hit.body = body;
  if (body.kind === "too_large") return { reason: "payload_too_large" };
  if (body.kind === "incomplete") return { reason: "unparsable", detail: "it ended early" };
  if (body.kind === "late") return { reason: "unparsable", detail: `it took longer than ${BODY_SECONDS} s to arrive` };

  const incoming = incomingOf(hit, deps);
  const claim = readClaim(incoming, adapter);
  if (claim.kind === "missing") return { reason: "signature_missing", detail: `${adapter.signatureName} is missing` };
  const types = adapter.contentTypesOf?.(incoming) ?? adapter.contentTypes;
  if (!isSupportedType(request.headers, types)) {
    return { reason: "content_type_unsupported", detail: `it must be uncompressed ${types.join(" or ")}` };
  }
  if (claim.kind === "malformed") return { reason: "signature_malformed", detail: claim.problem };
  if (claim.kind === "scheme_unknown")
    return { reason: "signature_scheme_unknown", detail: `it has only ${claim.schemes.join(", ")}` };
  if (claim.kind === "fetch_back") return checkByFetch(incoming, hit, deps);
  if (claim.timestamp !== null) hit.skewSeconds = claim.timestamp - hit.receivedAt;

  let secrets: Secrets = usableSecrets(adapter, endpoint);
  if (secrets.length === 0)
    return { reason: endpoint.unreadableSecrets > 0 ? "secret_unreadable" : "secret_not_configured" };
  if (adapter.fetchKeys) {
    try {
      secrets = await fetchKeys(
        claim,
        incoming,
        adapter.fetchKeys,
        usableSecrets(adapter, endpoint),
        fetchDeps(hit, deps),
      );
    } catch (error) {
      report(error, deps, hit.requestId);
      return { reason: "provider_unreachable" };
    }
  }
  const signer = findSigner(claim, secrets);
  if (signer === undefined) return { reason: "signature_mismatch" };
  hit.secretId = signer;
  return checkTime(claim, hit) ?? checkPayload(incoming, hit, deps);
}

type Secrets = Parameters<typeof findSigner>[1];

function fetchKeys(
  claim: SignedClaim,
  incoming: Incoming,
  fetch: NonNullable<Adapter["fetchKeys"]>,
  secrets: readonly UsableSecret[],
  deps: FetchDeps,
) {
  return Promise.all(secrets.map(async ({ id, value }) => ({ id, keys: await fetch(claim, incoming, value, deps) })));
}

const fetchDeps = (hit: Hit, { outbound, now }: ReceiveDeps): FetchDeps => ({ ...outbound, now, sender: siteKey(hit) });

/** Checks both sides of the window: a timestamp in the future would stay replayable until then. */
function checkTime({ timestamp }: SignedClaim, { adapter, endpoint, receivedAt }: Hit): Verdict | undefined {
  const allowed = toleranceOf(adapter, endpoint);
  if (timestamp === null || allowed === null) return undefined;
  const skew = timestamp - receivedAt;
  if (skew < -allowed) return { reason: "timestamp_too_old", detail: `${-skew} s ago, ${allowed} s are allowed` };
  if (skew > allowed)
    return { reason: "timestamp_in_future", detail: `${skew} s ahead of our clock, ${allowed} s are allowed` };
  return undefined;
}

/** Accepts anything parsable that the sender signed, of known type or not. */
function checkPayload(incoming: Incoming, hit: Hit, deps: ReceiveDeps): Verdict {
  const parsed = incoming.parsed();
  if (!parsed) return { reason: "unparsable" };
  return acceptedAs(hit.adapter.identify(incoming, parsed.payload), incoming, hit, deps);
}

/**
 * Requests that unsigned deliveries can cause. Those of strangers leave every network, and so the provider's, some of
 * its own.
 */
const confirmations = createShareLimiter({ own: 30, most: 300, shared: 3000, senders: 10_000 });

/** The provider waits for the response, and each key costs a request. */
const MAX_API_KEYS = 3;

/** Without a signature, the provider's API says whether the event exists. */
async function checkByFetch(incoming: Incoming, hit: Hit, deps: ReceiveDeps): Promise<Verdict> {
  const { adapter, endpoint } = hit;
  const { apiKeys } = endpoint;
  if (apiKeys.length === 0 || !adapter.fetchBack) {
    return { reason: "secret_not_configured", detail: "an API key is needed to confirm the delivery" };
  }
  const parsed = incoming.parsed();
  if (!parsed) return { reason: "unparsable" };
  if (!confirmations(siteKey(hit, endpoint.slug), hit.receivedAt)) {
    return { reason: "provider_unreachable", detail: "too many deliveries to confirm in this minute" };
  }
  const failures: unknown[] = [];
  for (const { id, value } of apiKeys.slice(0, MAX_API_KEYS)) {
    try {
      const [first, ...rest] = await adapter.fetchBack(incoming, parsed.payload, value, fetchDeps(hit, deps));
      if (!first) continue;
      hit.secretId = id;
      return acceptedAs([first, ...rest], incoming, hit, deps);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length === 0)
    return { reason: "signature_mismatch", detail: `${adapter.name} does not know this event` };
  // A key that the provider rejects cannot say whether the event exists.
  for (const error of failures) report(error, deps, hit.requestId);
  return { reason: "provider_unreachable" };
}

function acceptedAs(
  identities: readonly [EventIdentity, ...EventIdentity[]],
  incoming: Incoming,
  hit: Hit,
  deps: ReceiveDeps,
): Verdict {
  const { provider, slug, environment, forward } = incoming.endpoint;
  const delivered = ({
    key,
    id,
    type,
    objectKey,
    mode,
    payload = incoming.parsed()?.payload,
  }: KeyedEvent): DeliveredEvent => ({
    key,
    id,
    type,
    objectKey,
    mode,
    handlers:
      hit.source === "probe"
        ? []
        : deps.handlersFor({ provider, endpoint: slug, environment, forward, type, objectKey, payload }),
  });
  const [first, ...rest] = withKeys(identities, incoming);
  return { reason: "accepted", events: [delivered(first), ...rest.map(delivered)] };
}

function isSupportedType(headers: Headers, types: readonly string[]): boolean {
  const type = headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() ?? "identity";
  return types.includes(type) && (encoding === "identity" || encoding === "");
}
