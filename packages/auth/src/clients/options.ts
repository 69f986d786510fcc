import type { PublicJwk } from "@gatehouse/guard";

/** Every {@link SigningAlgorithm}. */
export const SIGNING_ALGORITHMS = ["RS256", "ES256", "EdDSA"] as const;
/** Algorithms for our own signatures. OpenID Connect's default is RS256. RFC 7518 §3.1, RFC 8037. */
export type SigningAlgorithm = (typeof SIGNING_ALGORITHMS)[number];

/** Every {@link AssertionAlgorithm}. */
export const ASSERTION_ALGORITHMS = [...SIGNING_ALGORITHMS, "PS256", "Ed25519"] as const;
/** Algorithms for client assertions; none uses a shared secret. RFC 7523 §3, RFC 7518 §3.1. */
export type AssertionAlgorithm = (typeof ASSERTION_ALGORITHMS)[number];

/**
 * How the value of an option is checked, besides by the rules of the option. `most`: characters of a text, entries of a
 * list.
 */
export type OptionCheck =
  | { kind: "flag" }
  | { kind: "integer"; least?: number }
  | { kind: "choice"; values: readonly string[] }
  /** `line`: without control characters. */
  | { kind: "text" | "line"; most: number }
  | { kind: "list"; of: { kind: "text" | "line"; least?: number; most: number }; most: number }
  | { kind: "keys" };

const flag = { kind: "flag" } as const;
const seconds = { kind: "integer" } as const;
const uri = { kind: "text", most: 2048 } as const;
const resourceIds = { kind: "list", of: { kind: "line", least: 1, most: 500 }, most: 50 } as const;
const choice = <const Values extends readonly string[]>(values: Values) => ({ kind: "choice", values }) as const;

/**
 * Optional settings of a client; an absent one has its default. To add one, add a line here: the type, the procedures
 * and the file of `gatehouse apply` follow. Stored as one JSON value, so that a new option needs no column.
 */
export const CLIENT_OPTIONS = {
  /** Ids of the API resources it may request tokens for, besides our own API. RFC 8707. */
  resources: resourceIds,
  /** For a resource server: ids of the resources whose tokens it may introspect; default our own API. RFC 7662 §2.2. */
  serves: resourceIds,
  /** How a confidential client authenticates; default `secret`. RFC 7523. */
  authentication: choice(["secret", "private_key_jwt"]),
  /**
   * The only algorithm allowed for its assertions; default any supported one. RFC 7591 §2
   * (token_endpoint_auth_signing_alg).
   */
  assertionAlgorithm: choice(ASSERTION_ALGORITHMS),
  /** The client's public keys: by value, or where to fetch them, never both. RFC 7591 §2. */
  jwks: { kind: "keys" },
  jwksUri: uri,
  /** Algorithm of its id and logout tokens; default RS256. OpenID Connect Registration §2. */
  idTokenAlgorithm: choice(SIGNING_ALGORITHMS),
  /**
   * Whether its id tokens contain the claims of granted `profile` and `email` scopes: `granted` (default) or `minimal`,
   * none.
   */
  idTokenClaims: choice(["granted", "minimal"]),
  /** URL to notify when a session ends. OpenID Connect Back-Channel Logout §2.2. */
  backchannelLogoutUri: { kind: "line", most: 2048 },
  /** Rejects authorization requests that were not pushed. RFC 9126 §6. */
  requirePushedRequests: flag,
  /** Requires a verified email address before consent. RG-06. */
  requireVerifiedEmail: flag,
  /** The least level of a sign-in for its requests. MF-11. */
  requireAcr: { kind: "line", most: 200 },
  /** Levels to try for requests without `acr_values`. OpenID Connect Registration §2. */
  defaultAcrValues: { kind: "list", of: { kind: "line", most: 200 }, most: 10 },
  /** `max_age` of requests without one, in seconds. OpenID Connect Registration §2. */
  defaultMaxAge: { kind: "integer", least: 0 },
  /** Requires every token to be bound to a key of the client. RFC 9449 §5.2. */
  dpopBound: flag,
  /** Requires a server nonce in its DPoP proofs. RFC 9449 §8. */
  dpopNonce: flag,
  /** Can be false for confidential clients only; public ones always rotate. OAuth 2.1 §4.3.1, CF-11. */
  rotateRefreshTokens: flag,
  /** Lifetimes in seconds, within documented bounds. */
  accessTokenSeconds: seconds,
  refreshIdleSeconds: seconds,
  refreshAbsoluteSeconds: seconds,
} as const satisfies Record<string, OptionCheck>;

/** Metadata that a client registered about itself, returned by dynamic registration. RFC 7591 §2. */
export const CLIENT_METADATA = {
  clientName: { kind: "line", most: 60 },
  applicationType: choice(["web", "native"]),
  secretMethod: choice(["client_secret_basic", "client_secret_post"]),
  clientUri: uri,
  logoUri: uri,
  policyUri: uri,
  tosUri: uri,
  contacts: { kind: "list", of: { kind: "text", most: 2048 }, most: 10 },
  softwareId: { kind: "text", most: 255 },
  softwareVersion: { kind: "text", most: 255 },
} as const satisfies Record<string, OptionCheck>;

type ValueOf<Check extends OptionCheck> = Check extends { kind: "flag" }
  ? boolean
  : Check extends { kind: "integer" }
    ? number
    : Check extends { kind: "choice"; values: readonly (infer Value)[] }
      ? Value
      : Check extends { kind: "list" }
        ? string[]
        : Check extends { kind: "keys" }
          ? { keys: PublicJwk[] }
          : string;

/** The values of the options in such a table. */
export type OptionsOf<Table extends Readonly<Record<string, OptionCheck>>> = {
  -readonly [Name in keyof Table]?: ValueOf<Table[Name]>;
};

/** The options of a client, and what it registered about itself. */
export type ClientOptions = OptionsOf<typeof CLIENT_OPTIONS> & OptionsOf<typeof CLIENT_METADATA>;

/** Every {@link ClientOrigin}. */
export const CLIENT_ORIGINS = ["registered", "dynamic", "metadata_document"] as const;
/**
 * How a client came to be: `registered` by an admin · `dynamic`: registered itself (RFC 7591) · `metadata_document`:
 * described by the document at its client id. In code, ask `isSelfDescribed`.
 */
export type ClientOrigin = (typeof CLIENT_ORIGINS)[number];
