import type { Environment } from "@gatehouse/auth";
import type { OperationDeps } from "../../deps.ts";
import { ABILITIES, type Actor } from "../../permissions.ts";
import { modeContradicts } from "../mode.ts";
import { deletionRights, whoDeletedBody } from "./deletion.ts";
import { maskedJson } from "./masked-json.ts";
import { type OpenedDelivery, openDelivery } from "./opened-delivery.ts";
import { NO_BODY, PROBE, payloadText } from "./payload.ts";
import { findEventOfDelivery } from "./queries.ts";
import { addressFor, headersFor, payloadRights } from "./rights.ts";
import { describeSignature } from "./signature.ts";

/** Who looks at a delivery. `scopes` are those of the credential. */
export type Viewer = Actor & { scopes: readonly string[] };

/** One delivery as this person may see it. Throws `not_found`. */
export async function getDelivery(id: string, viewer: Viewer, deps: Pick<OperationDeps, "db" | "config">) {
  const opened = await openDelivery(id, deps);
  const { row, provider, environment, adapter } = opened;
  const { endpoint, eventKey } = row;
  const [event, signature, deletion, deleted] = await Promise.all([
    eventKey ? findEventOfDelivery(deps.db, { endpoint, eventKey }) : undefined,
    describeSignature(opened, deps),
    deletionRights(viewer, row, environment, deps),
    whoDeletedBody(row, deps),
  ]);
  const { eventKey: _, secretId: __, skewSeconds: ___, body: ____, address, headers, ...facts } = row;
  return {
    ...facts,
    provider,
    providerName: adapter?.name ?? provider,
    environment,
    modeContradicts: modeContradicts(row),
    receivedAtMs: timeMsOf(row),
    address: addressFor(viewer, address),
    headers: headersFor(viewer, headers),
    payload: { ...payloadFor(viewer, opened), deletion, deleted },
    event: event
      ? { firstDeliveryId: event.firstDeliveryId, firstReceivedAt: event.receivedAt, state: event.state }
      : null,
    signature,
    facts: adapter ? adapter.facts : null,
    rerun: rerunRights(viewer, environment, { ...row, hasEvent: event !== undefined }),
  };
}

/** The id starts with the Unix milliseconds (RFC 9562 §5.7). Recovered deliveries have an older time than their id. */
function timeMsOf({ id, receivedAt }: Pick<OpenedDelivery["row"], "id" | "receivedAt">): number {
  const ms = /^[0-9a-f]{8}-[0-9a-f]{4}-7/.test(id) ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : 0;
  return Math.floor(ms / 1000) === receivedAt ? ms : receivedAt * 1000;
}

function payloadFor(viewer: Viewer, { row, environment }: OpenedDelivery) {
  const { body, bodyBytes } = row;
  const rights = payloadRights(viewer, environment, viewer.scopes);
  if (body === null) return { view: "removed" as const, content: null, truncated: false, canReveal: false };
  const truncated = bodyBytes === null || bodyBytes > body.length;
  const canReveal = rights.reveal && rights.view === "masked";
  if (rights.view === "shown") return { view: "shown" as const, content: payloadText(body), truncated, canReveal };
  const text = rights.view === "masked" ? maskedJson(body.toString("utf8")) : undefined;
  return {
    view: rights.view,
    content: text === undefined ? null : { text, encoding: "utf8" as const },
    truncated,
    canReveal,
  };
}

/** Re-running needs an event, which rejected deliveries have not, and the payload. Probes are never run. */
function rerunRights(
  { role, scopes }: Viewer,
  environment: Environment,
  { source, body, hasEvent }: Pick<OpenedDelivery["row"], "source" | "body"> & { hasEvent: boolean },
): { allowed: boolean; reason: string | null } {
  const can = ABILITIES[role];
  if (!hasEvent || !can.manageDevelopment || !scopes.includes("webhooks:replay"))
    return { allowed: false, reason: null };
  if (source === "probe") return { allowed: false, reason: PROBE };
  if (environment === "production" && !can.manageProduction)
    return { allowed: false, reason: "Only admins can run handlers again in production." };
  return body !== null ? { allowed: true, reason: null } : { allowed: false, reason: NO_BODY };
}
