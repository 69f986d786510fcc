/** A public key as it is published. RFC 7517 §4; never a private member. */
export type PublicJwk = { kty: string; kid?: string; alg?: string; use?: string; [member: string]: unknown };

export const SIGNING_ALGORITHMS = ["RS256", "ES256", "EdDSA"] as const;
/** What we sign with, and what clients may sign with. RS256 is OpenID Connect's default. RFC 7518 §3.1, RFC 8037. */
export type SigningAlgorithm = (typeof SIGNING_ALGORITHMS)[number];

export const ASSERTION_ALGORITHMS = [...SIGNING_ALGORITHMS, "PS256", "Ed25519"] as const;
/** What clients may sign their assertions with: never a shared secret. RFC 7523 §3, RFC 7518 §3.1. */
export type AssertionAlgorithm = (typeof ASSERTION_ALGORITHMS)[number];

export const ID_TOKEN_CLAIMS = ["granted", "minimal"] as const;
export type IdTokenClaims = (typeof ID_TOKEN_CLAIMS)[number];

/**
 * What a client may have set beyond the common settings; left out means the default. Kept as one JSON value, so that
 * an extension of the protocol adds a line here and no column.
 */
export type ClientOptions = {
  /** How a confidential client authenticates; default `secret`. RFC 7523. */
  authentication?: "secret" | "private_key_jwt";
  /** The one algorithm it signs its assertions with; default any of ours. RFC 7591 §2 (token_endpoint_auth_signing_alg). */
  assertionAlgorithm?: AssertionAlgorithm;
  /** The client's public keys: by value, or where to fetch them, never both. RFC 7591 §2. */
  jwks?: { keys: PublicJwk[] };
  jwksUri?: string;
  /** Signs its id tokens; default RS256. OpenID Connect Registration §2. */
  idTokenAlgorithm?: SigningAlgorithm;
  /** Do its id tokens carry the claims of the granted `profile` and `email` scopes? Default `granted`; `minimal`: none of them. */
  idTokenClaims?: IdTokenClaims;
  /** Told when a session ends. OpenID Connect Back-Channel Logout §2.2. */
  backchannelLogoutUri?: string;
  /** Plain authorization requests are refused; they have to be pushed. RFC 9126 §6. */
  requirePushedRequests?: boolean;
  /** Every token is bound to a key of the client. RFC 9449 §5.2. */
  dpopBound?: boolean;
  /** Its proofs have to carry a nonce of ours. RFC 9449 §8. */
  dpopNonce?: boolean;
  /** Ids of the API resources it may ask tokens for, beside our own API. RFC 8707. */
  resources?: string[];
  /** Of a resource server: ids of the resources whose tokens it may introspect; default our own API. RFC 7662 §2.2. */
  serves?: string[];
  /** Off only for confidential clients; public ones always rotate. OAuth 2.1 §4.3.1, CF-11. */
  rotateRefreshTokens?: boolean;
  /** Lifetimes in seconds, within documented bounds. */
  accessTokenSeconds?: number;
  refreshIdleSeconds?: number;
  refreshAbsoluteSeconds?: number;
  /** Shown on the consent page and given back by dynamic registration. RFC 7591 §2. */
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

export const CLIENT_ORIGINS = ["registered", "dynamic", "metadata_document"] as const;
/** Who vouches for a client: an admin · nobody, it registered itself (RFC 7591) · its own https document (Client ID Metadata Documents). */
export type ClientOrigin = (typeof CLIENT_ORIGINS)[number];
