// PK-14: Web APIs and jose only, for the server and for products on any runtime.

export * from "./routes.ts";

// Access tokens: what is sent, what is required, and the challenge of a rejected request.

export {
  checkToken,
  type FoundToken,
  readAuthorization,
  type SentToken,
  type TokenChecks,
  type TokenDemand,
} from "./bearer.ts";
export { challengeFor, DPOP_CHALLENGE } from "./challenge.ts";
export { GuardError, type GuardErrorCode, type GuardErrorDetail, INVALID_TOKEN, invalidToken } from "./error.ts";
export { resourceMetadataUrl } from "./resource-metadata.ts";
export { isSubsetScope, scopeTokens } from "./scope.ts";

// Proofs of possession, and JWTs.

export { badProof, DPOP_ALGORITHMS, requireProof } from "./dpop.ts";
export {
  checkSignature,
  hasSupportedLength,
  importPublicJwk,
  isPublicJwk,
  type Jwt,
  type JwtClaims,
  KEY_LENGTHS,
  type KeyCache,
  type PublicJwk,
  type PublicKey,
  readJwt,
  type VerificationAlgorithm,
} from "./jwt.ts";
export { type Sha256, sha256 } from "./sha256.ts";

// Caches with a limit.

export { setBounded } from "./bounded.ts";
