import {
  ACR,
  type ClientOptions,
  type ClientType,
  type Config,
  checkRedirectUri,
  DEVICE_CODE_GRANT,
  type Environment,
  findScope,
  GRANTS,
  grantsForClientType,
  hasSupportedLength,
  isConfidential,
  isFirstPartyKind,
  isOutboundUrl,
  KEY_LENGTHS,
  LIFETIME_BOUNDS,
  levelOf,
  lifetimesOf,
  MAX_REDIRECT_URIS,
  nearestAcceptable,
  readJwks,
  scopesOf,
} from "@gatehouse/auth";
import type { Problem } from "../domain-error.ts";
import type { ClientSettingsRow } from "./queries.ts";

/** Requested settings. Options that are left out are `{}` at registration and unchanged in an update. */
export type ClientSettingsDraft = Omit<ClientSettingsRow, "options"> & { options?: ClientOptions | undefined };
export type ClientDraft = ClientSettingsDraft & { environment: Environment; type: ClientType };

/** Every problem with a client that is being registered or changed; empty if it is valid. */
export function clientProblems(draft: ClientDraft, config: Pick<Config, "scopes">): Problem[] {
  return [
    ...grantProblems(draft),
    ...uriListProblems(draft),
    ...scopeProblems(draft, config),
    ...pushProblems(draft),
    ...levelProblems(draft),
    ...trustProblems(draft),
    ...keyProblems(draft),
    ...logoutProblems(draft),
    ...lifetimeProblems(draft),
  ];
}

function grantProblems({ type, grantTypes }: ClientDraft): Problem[] {
  const problems: Problem[] = [];
  const allowed = grantsForClientType(type);
  grantTypes.forEach((grant, at) => {
    if (!allowed.includes(grant))
      problems.push({
        path: `grantTypes.${at}`,
        message: `a ${type} client may use ${allowed.join(", ")}, not ${grant}`,
      });
  });
  if (grantTypes.length === 0) problems.push({ path: "grantTypes", message: `choose from ${allowed.join(", ")}` });
  const bringsRefresh = grantTypes.some((grant) => GRANTS[grant].withUser);
  if (grantTypes.includes("refresh_token") && !bringsRefresh)
    problems.push({
      path: "grantTypes",
      message: "refresh_token also requires authorization_code or the device code grant",
    });
  return problems;
}

function uriListProblems(draft: ClientDraft): Problem[] {
  const redirects = draft.grantTypes.includes("authorization_code");
  return [
    ...(redirects && draft.redirectUris.length === 0
      ? [{ path: "redirectUris", message: "register at least one: authorization_code redirects users to it" }]
      : []),
    ...uriProblems("redirectUris", draft.redirectUris, draft),
    ...uriProblems("postLogoutRedirectUris", draft.postLogoutRedirectUris, draft),
  ];
}

/** Names each rejected URI with the reason. RU-03 … RU-05, RU-12. */
function uriProblems(
  field: "redirectUris" | "postLogoutRedirectUris",
  uris: string[],
  { type, environment }: ClientDraft,
): Problem[] {
  const tooMany =
    uris.length > MAX_REDIRECT_URIS ? [{ path: field, message: `register at most ${MAX_REDIRECT_URIS} URIs` }] : [];
  const refused = uris.slice(0, MAX_REDIRECT_URIS).flatMap((uri, at) => {
    const path = `${field}.${at}`;
    if (uris.indexOf(uri) < at) return [{ path, message: `${quoted(uri)} is listed twice` }];
    const verdict = checkRedirectUri({ uri, type, environment });
    if (verdict.ok) return [];
    const nearest = nearestAcceptable({ uri, type, environment });
    return [
      {
        path,
        message: `${quoted(uri)}: ${verdict.message}${nearest === null ? "" : ` The nearest that is accepted is ${quoted(nearest)}.`}`,
      },
    ];
  });
  return [...tooMany, ...refused];
}

const quoted = (uri: string) => JSON.stringify(uri.length > 200 ? `${uri.slice(0, 200)}…` : uri);

/**
 * Checks Gatehouse's own scopes. `clientResourceProblems` checks those of registered APIs, which needs the database.
 */
function scopeProblems(
  { type, scopes, firstParty, options = {} }: ClientDraft,
  config: Pick<Config, "scopes">,
): Problem[] {
  const table = scopesOf(config);
  return scopes.flatMap((scope, at) => {
    const path = `scopes.${at}`;
    const own = findScope(scope, table);
    if (!own && (options.resources ?? []).length > 0) return [];
    if (!own)
      return [
        {
          path,
          message: `${JSON.stringify(scope)} is not a scope. Available scopes: ${Object.keys(table).join(", ")}`,
        },
      ];
    if (scopes.indexOf(scope) < at) return [{ path, message: `${scope} is listed twice` }];
    const { kind } = own;
    if (isFirstPartyKind(kind) && !firstParty) return [{ path, message: `${scope} is for first-party clients only` }];
    // CC-02: a service acts for itself, so there is no user to identify.
    if (kind === "identity" && type === "service")
      return [{ path, message: `${scope} is about a user, and a service client has no user` }];
    return [];
  });
}

/** RFC 9126 §6. */
function pushProblems({ grantTypes, options = {} }: ClientDraft): Problem[] {
  return options.requirePushedRequests && !grantTypes.includes("authorization_code")
    ? [
        {
          path: "options.requirePushedRequests",
          message: "requires the grant authorization_code: only its requests are pushed",
        },
      ]
    : [];
}

/** MF-11. Levels are checked at the authorization endpoint alone, so no other grant may get around them. */
function levelProblems({ grantTypes, options = {} }: ClientDraft): Problem[] {
  const { requireAcr, defaultAcrValues = [] } = options;
  const named = [
    ...(requireAcr === undefined ? [] : [{ path: "options.requireAcr", value: requireAcr }]),
    ...defaultAcrValues.map((value, at) => ({ path: `options.defaultAcrValues.${at}`, value })),
  ];
  const unknown = named
    .filter(({ value }) => !isDemandable(value))
    .map(({ path, value }) => ({
      path,
      message: `${quoted(value)} is not a level. Available levels: ${DEMANDABLE.join(", ")}`,
    }));
  const around = requireAcr !== undefined && grantTypes.includes(DEVICE_CODE_GRANT);
  return around
    ? [
        ...unknown,
        { path: "options.requireAcr", message: "cannot be combined with the device code grant, which checks no level" },
      ]
    : unknown;
}

/** A provider's level names no strength of its own. */
const DEMANDABLE: readonly string[] = [ACR.email, ACR.password, ACR.mfa, ACR.phr];
const isDemandable = (value: string) => DEMANDABLE.includes(levelOf(value) ?? "");

/**
 * OpenID Connect Back-Channel Logout §2.2. The server sends requests there, so the rules for outgoing requests apply.
 */
function logoutProblems({ type, environment, options }: ClientDraft): Problem[] {
  const uri = options?.backchannelLogoutUri;
  if (uri === undefined) return [];
  const path = "options.backchannelLogoutUri";
  if (type !== "web")
    return [{ path, message: `requires a web client, whose server can receive it; this is a ${type} client` }];
  if (uri.includes("#")) return [{ path, message: "must not have a fragment" }];
  const allowLoopback = environment === "development";
  if (isOutboundUrl(uri, { allowLoopback })) return [];
  return [
    { path, message: `must be an https URL without credentials${allowLoopback ? ", or http on this machine" : ""}` },
  ];
}

function trustProblems({ type, resourceServer }: ClientDraft): Problem[] {
  return resourceServer && type !== "service"
    ? [{ path: "resourceServer", message: "only a service client can be a resource server" }]
    : [];
}

/** Bounds are documented in docs/lifetimes.md. */
function lifetimeProblems({ type, options = {} }: ClientDraft): Problem[] {
  const outside = (["accessTokenSeconds", "refreshIdleSeconds", "refreshAbsoluteSeconds"] as const).flatMap((name) => {
    const { min, max } = LIFETIME_BOUNDS[name];
    const seconds = options[name];
    return seconds === undefined || (seconds >= min && seconds <= max)
      ? []
      : [{ path: `options.${name}`, message: `use ${min} to ${max} seconds` }];
  });
  const lifetimes = lifetimesOf({ type, options });
  if (options.refreshIdleSeconds !== undefined && lifetimes.refreshIdleSeconds > lifetimes.refreshAbsoluteSeconds) {
    const message = `must not be longer than the lifetime of the client's refresh tokens, which is ${lifetimes.refreshAbsoluteSeconds} seconds`;
    outside.push({ path: "options.refreshIdleSeconds", message });
  }
  // CF-24: rotation is the only way to detect a stolen refresh token of a public client.
  if (options.rotateRefreshTokens === false && !isConfidential({ type })) {
    outside.push({ path: "options.rotateRefreshTokens", message: `refresh tokens of a ${type} client always rotate` });
  }
  return outside;
}

/**
 * A client that authenticates with keys registers its public keys, in exactly one way. RFC 7523, RFC 7591 §2; JA-01,
 * DC-05.
 */
function keyProblems({ type, environment, options = {} }: ClientDraft): Problem[] {
  const { authentication, assertionAlgorithm, jwks, jwksUri } = options;
  const problems: Problem[] = [];
  if (authentication === "private_key_jwt") {
    if (!isConfidential({ type }))
      problems.push({
        path: "options.authentication",
        message: `a ${type} client is public and cannot keep a private key`,
      });
    if (!jwks && jwksUri === undefined)
      problems.push({
        path: "options.jwks",
        message: "private_key_jwt requires the client's public keys in jwks or jwks_uri",
      });
  } else if (assertionAlgorithm !== undefined) {
    problems.push({
      path: "options.assertionAlgorithm",
      message: "only a client with private_key_jwt signs assertions",
    });
  }
  if (jwks && jwksUri !== undefined)
    problems.push({ path: "options.jwksUri", message: "set jwks or jwks_uri, not both" });
  const keys = jwks && readJwks(jwks);
  if (jwks && !keys)
    problems.push({ path: "options.jwks", message: "must contain public keys only, no private or symmetric keys" });
  if (keys && !keys.every(hasSupportedLength)) problems.push({ path: "options.jwks", message: KEY_LENGTHS });
  const allowLoopback = environment === "development";
  if (jwksUri !== undefined && !isOutboundUrl(jwksUri, { allowLoopback }))
    problems.push({
      path: "options.jwksUri",
      message: `must be an https URL${allowLoopback ? ", or http on this machine" : ""}`,
    });
  return problems;
}
