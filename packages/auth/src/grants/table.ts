import type { ClientType } from "../clients/client-type.ts";

/** `grant_type` of the device flow. RFC 8628 §3.4. */
export const DEVICE_CODE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";
/** `grant_type` of a token exchange. RFC 8693 §2.1. */
export const TOKEN_EXCHANGE_GRANT = "urn:ietf:params:oauth:grant-type:token-exchange";

/** What the server knows of a grant besides how to handle it. */
export type Grant = {
  /**
   * Its own parameters at the token endpoint. A secret among them also belongs to the credentials that `http/form.ts`
   * rejects in a URL.
   */
  parameters: readonly string[];
  /** Types of client that can be registered for it. */
  clientTypes: readonly ClientType[];
  /** Types of client that get it unless their registration names other grants. */
  defaultFor: readonly ClientType[];
  /** A user takes part, so a refresh token can follow. */
  withUser: boolean;
  /** Also for clients that no admin registered. CC-05. */
  selfDescribed: boolean;
};

/**
 * Every grant, by its value of `grant_type`. To add one, write its file and its entry here; the compiler then asks for
 * its handler in `endpoints/token.ts`. The token endpoint, the metadata and the rules of registration read this table.
 */
export const GRANTS = {
  authorization_code: {
    parameters: ["code", "redirect_uri", "code_verifier"],
    clientTypes: ["web", "browser", "native"],
    defaultFor: ["web", "browser", "native"],
    withUser: true,
    selfDescribed: true,
  },
  refresh_token: {
    parameters: ["refresh_token"],
    clientTypes: ["web", "browser", "native", "device"],
    defaultFor: ["web", "browser", "native", "device"],
    withUser: false, // it continues another grant
    selfDescribed: true,
  },
  client_credentials: {
    parameters: [],
    clientTypes: ["web", "service"],
    defaultFor: ["service"],
    withUser: false,
    selfDescribed: false,
  },
  [DEVICE_CODE_GRANT]: {
    parameters: ["device_code"],
    clientTypes: ["web", "native", "device"],
    defaultFor: ["device"],
    withUser: true,
    selfDescribed: false,
  },
  [TOKEN_EXCHANGE_GRANT]: {
    parameters: [
      "audience",
      "subject_token",
      "subject_token_type",
      "actor_token",
      "actor_token_type",
      "requested_token_type",
    ],
    clientTypes: ["web", "service"],
    defaultFor: [],
    withUser: false,
    selfDescribed: false,
  },
} as const satisfies Record<string, Grant>;

/** A value of `grant_type` that the token endpoint supports. */
export type GrantType = keyof typeof GRANTS;

/** The grants that a client of this type can be registered for. OAuth 2.1 §2.1, RFC 8628. */
export function grantsForClientType(type: ClientType): GrantType[] {
  return grantsWhere(({ clientTypes }) => clientTypes.includes(type));
}

/** The grants that a client of this type gets unless its registration names others. */
export function defaultGrants(type: ClientType): GrantType[] {
  return grantsWhere(({ defaultFor }) => defaultFor.includes(type));
}

/** The grants that `matches`, in the order of the table. */
export function grantsWhere(matches: (grant: Grant) => boolean): GrantType[] {
  return GRANT_TYPES.filter((name) => matches(GRANTS[name]));
}

/** Is this a value of `grant_type` that we support? Case counts. TK-07. */
export function isGrantType(value: string): value is GrantType {
  return Object.hasOwn(GRANTS, value);
}

/** Every supported value of `grant_type`. */
export const GRANT_TYPES = Object.keys(GRANTS) as [GrantType, ...GrantType[]];
