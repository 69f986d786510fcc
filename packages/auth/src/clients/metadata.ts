import { hasSupportedLength, KEY_LENGTHS } from "@gatehouse/guard";
import { parseUrl } from "@gatehouse/runtime";
import { type GrantType, grantsWhere } from "../grants/table.ts";
import { isOutboundUrl } from "../outbound/outbound.ts";
import { parseScope } from "../resources/scope.ts";
import type { Client } from "./client.ts";
import { readJwks } from "./keys.ts";
import {
  type Members,
  metadataError,
  oneOf,
  presentMembers,
  readFlag,
  readText,
  readTexts,
} from "./metadata-members.ts";
import { readUris, type UriOwner, type UriRules } from "./metadata-uris.ts";
import { ASSERTION_ALGORITHMS, type ClientOptions, SIGNING_ALGORITHMS } from "./options.ts";
import { redirectHost } from "./redirect-uri.ts";

/** A client's own metadata, validated and converted. */
export type ClientDescription = {
  name: string;
  settings: Pick<Client, "type" | "redirectUris" | "postLogoutRedirectUris" | "grantTypes" | "scopes" | "options">;
};

export type MetadataRules = UriRules & {
  /** Every scope that a self-described client may request. */
  scopes: readonly string[];
  /** The scopes of each registered API; a subset of `scopes`. */
  apis: readonly (readonly string[])[];
  /** The scopes that the metadata of this server lists. */
  advertised: readonly string[];
  /** Whether clients may publish on loopback. Only for an issuer on loopback. */
  allowLoopback: boolean;
};

const METHODS = ["client_secret_basic", "client_secret_post", "private_key_jwt", "none"] as const;
type Method = (typeof METHODS)[number];
const NAME_LENGTH = 60;
/** More than any client has of grants, response types or methods. */
const MOST_NAMES = 20;

/**
 * Validates client metadata, RFC 7591 §2, and applies its defaults. Ignores unknown members (DC-03). Used for dynamic
 * registration and metadata documents. Throws `invalid_redirect_uri` or `invalid_client_metadata`, which say what to
 * fix.
 */
export function readClientMetadata(sent: Members, rules: MetadataRules): ClientDescription {
  const members = presentMembers(sent);
  const method = readMethod(members);
  const applicationType = oneOf(members, "application_type", ["web", "native"]);
  const type = typeOf(method, applicationType);
  const redirectUris = readRedirectUris(members, { type, applicationType }, rules);
  const name = readName(members);
  requireCodeResponse(members);
  return {
    name: name ?? redirectHost(redirectUris[0] ?? ""),
    settings: {
      type,
      redirectUris,
      postLogoutRedirectUris: readUris(
        members,
        "post_logout_redirect_uris",
        { type, applicationType },
        rules,
        "invalid_client_metadata",
      ),
      grantTypes: readGrants(members),
      scopes: readScopes(members, rules),
      options: definedOnly({
        ...readKeys(members, method, rules),
        ...readDisplay(members),
        clientName: name,
        applicationType,
        secretMethod: method === "client_secret_basic" || method === "client_secret_post" ? method : undefined,
        idTokenAlgorithm: oneOf(members, "id_token_signed_response_alg", SIGNING_ALGORITHMS),
        backchannelLogoutUri: readUrl(members, "backchannel_logout_uri", rules),
        requirePushedRequests: readFlag(members, "require_pushed_authorization_requests"),
        dpopBound: readFlag(members, "dpop_bound_access_tokens"),
      }),
    },
  };
}

/** A client's registered metadata with the names of RFC 7591, for the response to the client. DC-01. */
export function describeMetadata(client: Pick<Client, keyof ClientDescription["settings"]>): Record<string, unknown> {
  const { options } = client;
  return definedOnly({
    redirect_uris: client.redirectUris,
    post_logout_redirect_uris: client.postLogoutRedirectUris.length > 0 ? client.postLogoutRedirectUris : undefined,
    token_endpoint_auth_method: options.authentication ?? options.secretMethod ?? "none",
    token_endpoint_auth_signing_alg: options.assertionAlgorithm,
    grant_types: client.grantTypes,
    response_types: ["code"],
    client_name: options.clientName,
    application_type: options.applicationType,
    scope: client.scopes.join(" "),
    jwks: options.jwks,
    jwks_uri: options.jwksUri,
    id_token_signed_response_alg: options.idTokenAlgorithm,
    backchannel_logout_uri: options.backchannelLogoutUri,
    require_pushed_authorization_requests: options.requirePushedRequests,
    dpop_bound_access_tokens: options.dpopBound,
    client_uri: options.clientUri,
    logo_uri: options.logoUri,
    policy_uri: options.policyUri,
    tos_uri: options.tosUri,
    contacts: options.contacts,
    software_id: options.softwareId,
    software_version: options.softwareVersion,
  });
}

/** A public client that does not declare its application type counts as native. DC-04, interop 9. */
function typeOf(method: Method, applicationType: "web" | "native" | undefined): Client["type"] {
  if (method !== "none") return "web";
  return applicationType === "web" ? "browser" : "native";
}

function readRedirectUris(members: Members, owner: UriOwner, rules: UriRules): string[] {
  const uris = readUris(members, "redirect_uris", owner, rules, "invalid_redirect_uri");
  if (uris.length === 0) throw metadataError("invalid_redirect_uri", "redirect_uris must name at least one URI.");
  return uris;
}

/**
 * The supported method that it names: clients that support several list them, the preferred ones first (RFC 7591 §2,
 * OpenID Connect RP Metadata Choices §2). Throws when it names none that is supported: another one would not be its
 * choice.
 */
function readMethod(members: Members): Method {
  const preferred = members["token_endpoint_auth_method"];
  const listed = readTexts(members, "token_endpoint_auth_methods_supported", MOST_NAMES) ?? [];
  const sent = Array.isArray(preferred)
    ? (readTexts(members, "token_endpoint_auth_method", MOST_NAMES) ?? [])
    : [readText(members, "token_endpoint_auth_method", 100)].filter((method) => method !== undefined);
  if (sent.length + listed.length === 0) return "client_secret_basic";
  const known = [...sent, ...listed].find(isMethod);
  if (known !== undefined) return known;
  throw metadataError("invalid_client_metadata", `token_endpoint_auth_method must be one of ${METHODS.join(", ")}.`);
}

const isMethod = (method: string): method is Method => METHODS.some((known) => known === method);

/**
 * The grants of the client that are available to it. RFC 7591 §2 lets us drop the others, and the response says which
 * are left. DC-05.
 */
function readGrants(members: Members): GrantType[] {
  const open = grantsWhere(({ selfDescribed }) => selfDescribed);
  const grants = readTexts(members, "grant_types", MOST_NAMES) ?? ["authorization_code"];
  if (!grants.includes("authorization_code"))
    throw metadataError(
      "invalid_client_metadata",
      `grant_types must include authorization_code. Available: ${open.join(", ")}.`,
    );
  return open.filter((grant) => grants.includes(grant));
}

/** As for grants: other response types beside code are not registered. */
function requireCodeResponse(members: Members): void {
  const types = readTexts(members, "response_types", MOST_NAMES) ?? ["code"];
  if (!types.includes("code")) throw metadataError("invalid_client_metadata", "response_types must include code.");
}

/**
 * The requested scopes that are available to it; all of them when it requests none. RFC 7591 §2 lets us drop the
 * others. Naming one scope of an API registers the client for all scopes of that API: MCP clients register with what
 * their first call needs and request more later. Naming everything that this server advertises counts as naming
 * nothing: such a client was told no scopes by the API that it wants to call. The user is asked each time. CF-13.
 */
function readScopes(members: Members, { scopes, apis, advertised }: MetadataRules): string[] {
  const asked = readText(members, "scope", 2000);
  if (asked === undefined) return [...scopes];
  const tokens = parseScope(asked);
  if (tokens?.length === 0 || (tokens && advertised.every((name) => tokens.includes(name)))) return [...scopes];
  const kept = tokens?.filter((token) => scopes.includes(token)) ?? [];
  if (kept.length === 0) throw metadataError("invalid_client_metadata", `scope may contain ${scopes.join(" ")}`);
  return [...new Set([...kept, ...apis.filter((api) => api.some((name) => kept.includes(name))).flat()])];
}

/** Public keys by value or by URL, not both. DC-05, CI-03. */
function readKeys(members: Members, method: Method, rules: MetadataRules): ClientOptions {
  const jwksUri = readUrl(members, "jwks_uri", rules);
  const sent = members["jwks"];
  if (sent !== undefined && jwksUri !== undefined)
    throw metadataError("invalid_client_metadata", "Send jwks or jwks_uri, not both.");
  const keys = sent === undefined ? undefined : readJwks(sent);
  if (sent !== undefined && keys === undefined)
    throw metadataError("invalid_client_metadata", "jwks must be a set of public keys.");
  if (keys && !keys.every(hasSupportedLength)) throw metadataError("invalid_client_metadata", `jwks ${KEY_LENGTHS}.`);
  if (method === "private_key_jwt" && keys === undefined && jwksUri === undefined) {
    throw metadataError("invalid_client_metadata", "private_key_jwt needs jwks or jwks_uri.");
  }
  return definedOnly({
    authentication: method === "private_key_jwt" ? ("private_key_jwt" as const) : undefined,
    assertionAlgorithm: oneOf(members, "token_endpoint_auth_signing_alg", ASSERTION_ALGORITHMS),
    jwks: keys && { keys },
    jwksUri,
  });
}

function readDisplay(members: Members): ClientOptions {
  return definedOnly({
    clientUri: readWebPage(members, "client_uri"),
    logoUri: readWebPage(members, "logo_uri"),
    policyUri: readWebPage(members, "policy_uri"),
    tosUri: readWebPage(members, "tos_uri"),
    contacts: readTexts(members, "contacts", 10),
    softwareId: readText(members, "software_id", 255),
    softwareVersion: readText(members, "software_version", 255),
  });
}

/** Shown to users: on one line, without characters that reorder or hide text. */
function readName(members: Members): string | undefined {
  const name = readText(members, "client_name", 500)?.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, "");
  return name?.replace(/\s+/g, " ").trim().slice(0, NAME_LENGTH) || undefined;
}

/** A URL that we request. DC-08. */
function readUrl(members: Members, name: string, { allowLoopback }: MetadataRules): string | undefined {
  const url = readText(members, name, 2048);
  if (url !== undefined && !isOutboundUrl(url, { allowLoopback }))
    throw metadataError("invalid_client_metadata", `${name} must be an https URL.`);
  return url;
}

/** A URL for people to open. We never request it. */
function readWebPage(members: Members, name: string): string | undefined {
  const url = readText(members, name, 2048);
  if (url !== undefined && !(/^https?:\/\//.test(url) && parseUrl(url)))
    throw metadataError("invalid_client_metadata", `${name} must be an http or https URL.`);
  return url;
}

type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

function definedOnly<T extends object>(members: T): Defined<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<T>;
}
