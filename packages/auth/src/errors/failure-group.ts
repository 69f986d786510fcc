import { compareRedirectUris } from "../clients/redirect-uri-diff.ts";
import type { Refusal } from "../store/refusals.ts";
import type { RefusalCause, RefusalDetail } from "./refusal.ts";

/** What refusals of one group have in common. */
export type FailureGroup = {
  cause: RefusalCause;
  /** The first segment of the path: a longer one can contain anything. */
  endpoint: string;
  /** Null when the claimed id is not the id of a client. */
  clientId: string | null;
  /** What differs from what was expected, from a closed list; empty if the cause says it all. */
  difference: string;
};

/**
 * The group of a refusal. Callers who invent client ids, paths or parameters cannot make groups: unknown clients share
 * one per cause, and everything else comes from closed lists. CO-46, CO-51.
 */
export function failureGroup({ cause, endpoint, clientId, detail }: Refusal, isClient: boolean): FailureGroup {
  return {
    cause,
    endpoint: /^\/[^/]*/.exec(endpoint)?.[0] ?? "",
    clientId: isClient ? clientId : null,
    difference: isClient ? differenceOf(cause, detail) : "",
  };
}

/** Causes grouped by scope name. Only existing scopes cause them, so callers cannot invent groups. */
const NAMED_BY_TOKEN: ReadonlySet<RefusalCause> = new Set(["scope_not_allowed"]);

function differenceOf(cause: RefusalCause, { sent, nearest, token }: RefusalDetail): string {
  if (cause === "redirect_uri_unregistered" && typeof sent === "string" && typeof nearest === "string") {
    return compareRedirectUris(sent, { type: "web", redirectUris: [nearest] }).differences[0]?.kind ?? "";
  }
  return NAMED_BY_TOKEN.has(cause) && typeof token === "string" ? token : "";
}
