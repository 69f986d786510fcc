/** A public key in JWK form. RFC 7517 §4. Never has a private member. */
export type PublicJwk = { kty: string; kid?: string; alg?: string; use?: string; [member: string]: unknown };

/** Every {@link SigningAlgorithm}. */
export const SIGNING_ALGORITHMS = ["RS256", "ES256", "EdDSA"] as const;
/** Algorithms for our own signatures. OpenID Connect's default is RS256. RFC 7518 §3.1, RFC 8037. */
export type SigningAlgorithm = (typeof SIGNING_ALGORITHMS)[number];

/** Every {@link AssertionAlgorithm}. */
export const ASSERTION_ALGORITHMS = [...SIGNING_ALGORITHMS, "PS256", "Ed25519"] as const;
/** Algorithms for client assertions; none uses a shared secret. RFC 7523 §3, RFC 7518 §3.1. */
export type AssertionAlgorithm = (typeof ASSERTION_ALGORITHMS)[number];

/** Every {@link IdTokenClaims}. */
export const ID_TOKEN_CLAIMS = ["granted", "minimal"] as const;
/** Which claims about the user ID tokens contain: those of the granted scopes, or none. */
export type IdTokenClaims = (typeof ID_TOKEN_CLAIMS)[number];

/** Optional settings of a client; an absent one has its default. Stored as one JSON value, so that a new option needs no column. */
export type ClientOptions = {
  /** How a confidential client authenticates; default `secret`. RFC 7523. */
  authentication?: "secret" | "private_key_jwt";
  /** The only algorithm allowed for its assertions; default any supported one. RFC 7591 §2 (token_endpoint_auth_signing_alg). */
  assertionAlgorithm?: AssertionAlgorithm;
  /** The client's public keys: by value, or where to fetch them, never both. RFC 7591 §2. */
  jwks?: { keys: PublicJwk[] };
  jwksUri?: string;
  /** Algorithm of its id and logout tokens; default RS256. OpenID Connect Registration §2. */
  idTokenAlgorithm?: SigningAlgorithm;
  /** Whether its id tokens contain the claims of granted `profile` and `email` scopes: `granted` (default) or `minimal`, none. */
  idTokenClaims?: IdTokenClaims;
  /** URL to notify when a session ends. OpenID Connect Back-Channel Logout §2.2. */
  backchannelLogoutUri?: string;
  /** Rejects authorization requests that were not pushed. RFC 9126 §6. */
  requirePushedRequests?: boolean;
  /** Requires every token to be bound to a key of the client. RFC 9449 §5.2. */
  dpopBound?: boolean;
  /** Requires a server nonce in its DPoP proofs. RFC 9449 §8. */
  dpopNonce?: boolean;
  /** Ids of the API resources it may request tokens for, besides our own API. RFC 8707. */
  resources?: string[];
  /** For a resource server: ids of the resources whose tokens it may introspect; default our own API. RFC 7662 §2.2. */
  serves?: string[];
  /** Can be false for confidential clients only; public ones always rotate. OAuth 2.1 §4.3.1, CF-11. */
  rotateRefreshTokens?: boolean;
  /** The least level of a sign-in for its requests. MF-11. */
  requireAcr?: string;
  /** Levels to try for requests without `acr_values`. OpenID Connect Registration §2. */
  defaultAcrValues?: string[];
  /** `max_age` of requests without one, in seconds. OpenID Connect Registration §2. */
  defaultMaxAge?: number;
  /** Requires a verified email address before consent. RG-06. */
  requireVerifiedEmail?: boolean;
  /** Lifetimes in seconds, within documented bounds. */
  accessTokenSeconds?: number;
  refreshIdleSeconds?: number;
  refreshAbsoluteSeconds?: number;
  /** Metadata that the client registered, returned by dynamic registration. RFC 7591 §2. */
  clientName?: string;
  applicationType?: "web" | "native";
  secretMethod?: "client_secret_basic" | "client_secret_post";
  clientUri?: string;
  logoUri?: string;
  policyUri?: string;
  tosUri?: string;
  contacts?: string[];
  softwareId?: string;
  softwareVersion?: string;
};

/** Every {@link ClientOrigin}. */
export const CLIENT_ORIGINS = ["registered", "dynamic", "metadata_document"] as const;
/**
 * How a client came to be: `registered` by an admin · `dynamic`: registered itself (RFC 7591) · `metadata_document`: described by the
 * document at its client id. In code, ask `isSelfDescribed`.
 */
export type ClientOrigin = (typeof CLIENT_ORIGINS)[number];
