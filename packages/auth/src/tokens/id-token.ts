import { createHash } from "node:crypto";
import { type JwtClaims, scopeTokens } from "@gatehouse/guard";
import type { Client } from "../clients/client.ts";
import type { SigningAlgorithm } from "../clients/options.ts";
import { signJwt, verifyJwt } from "../crypto/signing-keys.ts";
import type { Config, Deps } from "../deps.ts";
import { LIFETIME } from "../lifetimes.ts";
import type { TokenContext } from "../store/access-tokens.ts";
import type { TokenUser } from "../store/users.ts";

export const ID_TOKEN_ALGORITHMS = ["RS256", "ES256", "EdDSA"] as const satisfies readonly SigningAlgorithm[];

/** The algorithm of a client's ID and logout tokens. OpenID Connect Registration §2, OI-08. */
export function idTokenAlgorithm(client: Pick<Client, "options">): SigningAlgorithm {
  return client.options.idTokenAlgorithm ?? "RS256";
}

/** The user of an ID token, and the granted scope, which decides on the claims. */
export type Identity = { scope: string; user: TokenUser };

/** The identity for an ID token; undefined without the scope `openid`. OI-02. */
export function identityOf(scope: string, user: TokenUser): Identity | undefined {
  return scopeTokens(scope).includes("openid") ? { scope, user } : undefined;
}

type Subject = Identity & {
  client: Client;
  userId: string;
  context: TokenContext;
  accessToken: string;
  notAfter?: number | undefined;
};

/**
 * Mints an ID token: who signed in, when and how, with the claims of the granted scopes, because some libraries never
 * call the userinfo endpoint. A client set to `minimal` gets no such claims, because tokens end up in logs. OpenID
 * Connect Core §2, §3.1.3.6, §5.4; OI-01.
 */
export function mintIdToken(
  { client, userId, context, accessToken, scope, user, notAfter }: Subject,
  deps: Deps,
): Promise<string> {
  const now = deps.now();
  const algorithm = idTokenAlgorithm(client);
  const claims = {
    iss: deps.config.issuer,
    sub: userId,
    aud: client.clientId,
    iat: now,
    exp: Math.min(now + LIFETIME.idTokenSeconds, notAfter ?? Number.POSITIVE_INFINITY),
    auth_time: context.authTime,
    nonce: context.nonce,
    acr: context.acr,
    amr: context.amr,
    sid: context.sessionId,
    at_hash: leftHalf(accessToken, algorithm),
    ...(user && client.options.idTokenClaims !== "minimal" && personalClaims(scope, user, deps.config)),
  };
  return signJwt({ typ: "JWT", claims, algorithm }, deps);
}

/**
 * `at_hash`: half of the signature algorithm's hash; SHA-512 for Ed25519 (RFC 8032 §5.1). OpenID Connect Core §3.1.3.6.
 */
function leftHalf(text: string, algorithm: SigningAlgorithm): string {
  const digest = createHash(algorithm === "EdDSA" ? "sha512" : "sha256")
    .update(text)
    .digest();
  return digest.subarray(0, digest.length / 2).toString("base64url");
}

/** What an ID token hint says. */
export type IdTokenHint = { userId: string; clientId: string; sessionId: string | undefined };

/** Verifies an `id_token_hint`, which may be expired; undefined when we did not sign it. LO-01, OI-04. */
export async function readIdTokenHint(
  token: string,
  deps: Pick<Deps, "config" | "store" | "now" | "seal">,
): Promise<IdTokenHint | undefined> {
  const demand = { typ: "JWT", algorithms: ID_TOKEN_ALGORITHMS, issuer: deps.config.issuer, allowExpired: true };
  const claims: JwtClaims = (await verifyJwt(token, demand, deps)) ?? {};
  const { sub, aud, sid } = claims;
  if (typeof sub !== "string" || typeof aud !== "string") return undefined;
  return { userId: sub, clientId: aud, sessionId: typeof sid === "string" ? sid : undefined };
}

/** The claims of a scope for ID tokens and the userinfo endpoint. OpenID Connect Core §5.4. */
export function personalClaims(
  scope: string,
  user: NonNullable<TokenUser>,
  { issuer }: Pick<Config, "issuer">,
): JwtClaims {
  const names = new Set(scopeTokens(scope));
  return {
    ...(names.has("profile") && profileClaims(user, issuer)),
    // The address is what people sign in with. Only with both scopes, since `profile` alone does not tell it.
    ...(names.has("profile") && names.has("email") && { preferred_username: user.email }),
    ...(names.has("email") && { email: user.email, email_verified: user.emailVerifiedAt !== null }),
  };
}

/**
 * What the account has of the standard claims of `profile`. The picture is public to who has its URL, which ends with
 * the picture.
 */
function profileClaims(
  { name, locale, pictureId, profileChangedAt }: NonNullable<TokenUser>,
  issuer: string,
): JwtClaims {
  return {
    name,
    ...(pictureId !== null && { picture: `${issuer}/picture/${pictureId}` }),
    ...(locale !== null && { locale }),
    ...(profileChangedAt !== null && { updated_at: profileChangedAt }),
  };
}

/** Every claim that ID tokens and the userinfo endpoint support. MD-05. */
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
  "preferred_username",
  "picture",
  "locale",
  "updated_at",
  "email",
  "email_verified",
];
