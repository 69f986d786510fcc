import { createHash } from "node:crypto";
import type { Client } from "../clients/client.ts";
import type { SigningAlgorithm } from "../clients/options.ts";
import type { JwtClaims } from "../crypto/jwt.ts";
import { signJwt, verifyJwt } from "../crypto/signing-keys.ts";
import type { Deps } from "../deps.ts";
import { LIFETIME } from "../lifetimes.ts";
import { scopeTokens } from "../resources/scope.ts";
import type { TokenUser } from "../store/users.ts";
import type { TokenContext } from "./context.ts";

export const ID_TOKEN_ALGORITHMS = ["RS256", "ES256", "EdDSA"] as const satisfies readonly SigningAlgorithm[];

/** With which of our keys this client's id and logout tokens are signed. OpenID Connect Registration §2. */
export function idTokenAlgorithm(client: Pick<Client, "options">): SigningAlgorithm {
  return client.options.idTokenAlgorithm ?? "RS256";
}

/** Whom an id token is about, beyond the id: what the granted scope allows to say of the user. */
export type Identity = { scope: string; user: TokenUser };

/** Undefined without `openid`: no id token then. OI-02. */
export function identityOf(scope: string, user: TokenUser): Identity | undefined {
  return scopeTokens(scope).includes("openid") ? { scope, user } : undefined;
}

type Subject = Identity & { client: Client; userId: string; context: TokenContext; accessToken: string };

/**
 * Says to the client who signed in, when and how, with the claims of the granted scopes: some libraries never ask the userinfo
 * endpoint. A client set to `minimal` gets none of these, since tokens end up in logs. OpenID Connect Core §2, §3.1.3.6, §5.4; OI-01.
 */
export function mintIdToken({ client, userId, context, accessToken, scope, user }: Subject, deps: Deps): Promise<string> {
  const now = deps.now();
  const algorithm = idTokenAlgorithm(client);
  const claims = {
    iss: deps.config.issuer,
    sub: userId,
    aud: client.clientId,
    iat: now,
    exp: now + LIFETIME.idTokenSeconds,
    auth_time: context.authTime,
    nonce: context.nonce,
    acr: context.acr,
    amr: context.amr,
    sid: context.sessionId,
    at_hash: leftHalf(accessToken, algorithm),
    ...(user && client.options.idTokenClaims !== "minimal" && personalClaims(scope, user)),
  };
  return signJwt({ typ: "JWT", claims, algorithm }, deps);
}

/** OpenID Connect Core §3.1.3.6: the hash of the signature's own algorithm, SHA-512 for Ed25519 (RFC 8032 §5.1). */
function leftHalf(text: string, algorithm: SigningAlgorithm): string {
  const digest = createHash(algorithm === "EdDSA" ? "sha512" : "sha256")
    .update(text)
    .digest();
  return digest.subarray(0, digest.length / 2).toString("base64url");
}

/** Whom an id token of ours, presented as a hint, is about. */
export type IdTokenHint = { userId: string; clientId: string; sessionId: string | undefined };

/** Reads an `id_token_hint`, however old; undefined when it is not an id token that we signed. LO-01, OI-04. */
export async function readIdTokenHint(
  token: string,
  deps: Pick<Deps, "config" | "store" | "now" | "seal">,
): Promise<IdTokenHint | undefined> {
  const demand = { typ: "JWT", algorithms: ID_TOKEN_ALGORITHMS, issuer: deps.config.issuer, expiredToo: true };
  const claims: JwtClaims = (await verifyJwt(token, demand, deps)) ?? {};
  const { sub, aud, sid } = claims;
  if (typeof sub !== "string" || typeof aud !== "string") return undefined;
  return { userId: sub, clientId: aud, sessionId: typeof sid === "string" ? sid : undefined };
}

/** What id tokens and the userinfo endpoint may say for a scope. OpenID Connect Core §5.4; nothing is claimed that we do not know. */
export function personalClaims(scope: string, user: NonNullable<TokenUser>): JwtClaims {
  const names = new Set(scopeTokens(scope));
  return {
    ...(names.has("profile") && { name: user.name }),
    // Nobody has proven that they read mail there.
    ...(names.has("email") && { email: user.email, email_verified: false }),
  };
}

/** Every claim that an id token or the userinfo endpoint may hold. MD-05. */
export const CLAIMS = [
  "iss",
  "sub",
  "aud",
  "iat",
  "exp",
  "auth_time",
  "nonce",
  "acr",
  "amr",
  "sid",
  "at_hash",
  "name",
  "email",
  "email_verified",
];
