import { checkRedirectUri, type RefusalCause, type RefusalDetail, type UriComparison } from "@gatehouse/auth";
import type { ClientRow } from "../clients/queries.ts";

/** What the console can do about a refusal: it opens the client's editor with `value` filled in, unsaved. */
export type Fix =
  | { kind: "add_redirect_uri"; value: string; newHost: boolean }
  | { kind: "add_scope" | "add_grant_type"; value: string }
  | { kind: "enable_client" | "add_secret" };

const BY_NEW_SECRET: ReadonlySet<RefusalCause> = new Set(["secret_wrong", "secret_expired", "secret_retired"]);

/** How to fix a refusal, by the client as it is now; null where the console has none. CO-27, CO-47. */
export function fixOf(
  { cause, detail }: { cause: RefusalCause; detail: RefusalDetail },
  client: Pick<ClientRow, "type" | "environment" | "redirectUris" | "scopes" | "grantTypes" | "disabledAt">,
  uri: UriComparison | null,
): Fix | null {
  const { sent, token, grantType } = detail;
  if (uri && typeof sent === "string") return uri.matched === null ? uriFix(sent, client) : null;
  if (cause === "scope_not_allowed" && typeof token === "string" && !client.scopes.includes(token))
    return { kind: "add_scope", value: token };
  if (
    cause === "client_grant_not_allowed" &&
    typeof grantType === "string" &&
    !client.grantTypes.some((grant) => grant === grantType)
  )
    return { kind: "add_grant_type", value: grantType };
  if (cause === "client_disabled" && client.disabledAt !== null) return { kind: "enable_client" };
  return BY_NEW_SECRET.has(cause) ? { kind: "add_secret" } : null;
}

/** Anybody can send a request with any `redirect_uri`, so a host that is new to the client is pointed out. */
function uriFix(
  sent: string,
  { type, environment, redirectUris }: Pick<ClientRow, "type" | "environment" | "redirectUris">,
): Fix | null {
  if (!checkRedirectUri({ uri: sent, type, environment }).ok) return null;
  return {
    kind: "add_redirect_uri",
    value: sent,
    newHost: !redirectUris.some((uri) => originOf(uri) === originOf(sent)),
  };
}

const originOf = (uri: string) => /^[^:]+:(?:\/\/[^/?#:]*)?/.exec(uri)?.[0];
