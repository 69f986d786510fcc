import type { Random } from "@gatehouse/auth";
import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  fetchProtectedResource,
  fetchUserInfo,
  type IDToken,
  type UserInfoResponse,
} from "openid-client";
import type { UpstreamAttempt } from "./attempt.ts";
import { PRESETS } from "./presets/index.ts";
import { textClaim, type UpstreamProfile } from "./presets/preset.ts";
import { callbackUrl, type SignInProvider } from "./provider.ts";
import { asUpstreamError, statusOf, UpstreamError } from "./upstream-error.ts";

/** A user whom a provider has authenticated, after every check of UP-04. */
export type UpstreamUser = UpstreamProfile & {
  acr: string | null;
  amr: readonly string[];
  /** When the user signed in at the provider; null if it does not say. Unix seconds. */
  authTime: number | null;
  /** Null without OpenID Connect. */
  idToken: string | null;
};

type Ours = { config: { issuer: string } };

/** 256 random bits, base64url: a state, a nonce or a PKCE verifier. UP-03. */
export function randomValue(random: Random): string {
  return Buffer.from(random(32)).toString("base64url");
}

/** The URL that sends the browser to the provider. */
export async function authorizationUrl(
  client: Configuration,
  provider: SignInProvider,
  attempt: UpstreamAttempt,
  { loginHint, selectAccount = false, config }: Ours & { loginHint?: string | undefined; selectAccount?: boolean },
): Promise<string> {
  const preset = PRESETS[provider.preset];
  const scopes = provider.settings.scopes ?? preset.scopes;
  const { maxAgeSeconds } = attempt;
  const url = buildAuthorizationUrl(client, {
    redirect_uri: callbackUrl(provider.id, config),
    scope: scopes.join(" "),
    state: attempt.state,
    code_challenge: await calculatePKCECodeChallenge(attempt.verifier),
    code_challenge_method: "S256",
    ...(hasIdTokens(provider) && { nonce: attempt.nonce }),
    ...(loginHint !== undefined && { login_hint: loginHint }),
    // UP-13: `max_age=0` and `prompt=login` mean the same; providers know at least one of them.
    ...(maxAgeSeconds !== null && { max_age: String(maxAgeSeconds) }),
    ...(maxAgeSeconds === 0 ? { prompt: "login" } : selectAccount && { prompt: "select_account" }),
    ...preset.parametersOf?.(provider),
  });
  return url.href;
}

/**
 * Exchanges the callback's code and reads the user. Checks `iss`, state, PKCE, and of the ID token signature, issuer,
 * audience, times, nonce and, if asked for, `auth_time`. The provider's tokens are dropped. Throws `UpstreamError`.
 * UP-04, UP-12.
 */
export async function exchangeCode(
  client: Configuration,
  provider: SignInProvider,
  attempt: UpstreamAttempt,
  { callback, config, now }: Ours & { callback: URLSearchParams; now: () => number },
): Promise<UpstreamUser> {
  try {
    const url = new URL(`${callbackUrl(provider.id, config)}?${parametersOf(callback)}`);
    const tokens = await authorizationCodeGrant(client, url, {
      expectedState: attempt.state,
      pkceCodeVerifier: attempt.verifier,
      ...(hasIdTokens(provider) && { expectedNonce: attempt.nonce, idTokenExpected: true }),
    });
    const idToken = tokens.claims();
    assertParty(idToken, provider);
    const preset = PRESETS[provider.preset];
    const claims =
      idToken && preset.readsUserInfo ? await withUserInfo(idToken, client, tokens.access_token) : (idToken ?? {});
    const get = (from: string) => getJson(from, client, tokens.access_token);
    const profile = await preset.profileOf({ claims, callback, get }, provider);
    const user = { ...profile, ...signInOf(idToken), idToken: tokens.id_token ?? null };
    assertRecent(user, attempt, now());
    return user;
  } catch (thrown) {
    throw asUpstreamError(thrown);
  }
}

const hasIdTokens = ({ preset }: SignInProvider) => PRESETS[preset].metadataOf === undefined;

/** Once each, so that nothing reads another value than the one that was checked. */
function parametersOf(callback: URLSearchParams): URLSearchParams {
  const kept = ["code", "state", "iss", "error", "error_description"].flatMap((name) =>
    callback.getAll(name).map((value): [string, string] => [name, value]),
  );
  return new URLSearchParams(kept);
}

/** OpenID Connect Core §3.1.3.7: also where the only audience is ours. */
function assertParty(claims: IDToken | undefined, { clientId }: SignInProvider): void {
  if (claims?.azp !== undefined && claims.azp !== clientId)
    throw new UpstreamError("answer_invalid", "azp is another client");
}

/**
 * The ID token's claims; address and name of the userinfo endpoint if they are not there. Address and proof come from
 * one place.
 */
async function withUserInfo(
  claims: IDToken,
  client: Configuration,
  accessToken: string,
): Promise<Record<string, unknown>> {
  if (claims["email"] !== undefined && claims["name"] !== undefined) return claims;
  if (client.serverMetadata().userinfo_endpoint === undefined) return claims;
  const { email, email_verified, name } = await userInfoOf(client, accessToken, claims.sub);
  const address = claims["email"] === undefined ? { email, email_verified } : {};
  return { ...claims, ...address, name: claims["name"] ?? name };
}

/**
 * Nothing if the provider refuses its own token there, as some do for tokens of another API: who the user is stands in
 * the ID token.
 */
async function userInfoOf(
  client: Configuration,
  accessToken: string,
  subject: string,
): Promise<Partial<UserInfoResponse>> {
  try {
    return await fetchUserInfo(client, accessToken, subject);
  } catch (thrown) {
    if (REFUSED.includes(statusOf(thrown))) return {};
    throw thrown;
  }
}

/** The access token does not allow the document. GitHub says 404 for some of these. */
const REFUSED: readonly unknown[] = [401, 403, 404];

async function getJson(url: string, client: Configuration, accessToken: string): Promise<unknown> {
  const response = await fetchProtectedResource(client, accessToken, new URL(url), "GET");
  if (response.status !== 200) {
    const problem = REFUSED.includes(response.status) ? "exchange_refused" : "unreachable";
    throw new UpstreamError(problem, `status ${response.status} of ${new URL(url).pathname}`);
  }
  return response.json().catch((cause: unknown) => {
    throw new UpstreamError("unreachable", `no JSON at ${new URL(url).pathname}`, { cause });
  });
}

function signInOf(claims: IDToken | undefined): Pick<UpstreamUser, "acr" | "amr" | "authTime"> {
  const amr = claims?.["amr"];
  return {
    acr: claims ? textClaim(claims, "acr") : null,
    amr: Array.isArray(amr) ? amr.filter((value) => typeof value === "string") : [],
    authTime: claims?.auth_time ?? null,
  };
}

/** The clocks of two servers differ a little. */
const LEEWAY_SECONDS = 30;

/**
 * UP-13. Without `auth_time` nothing shows that a demand was met. Whether a confirmation is enough without it depends
 * on what else the user has; the caller decides.
 */
function assertRecent(
  { authTime }: UpstreamUser,
  { maxAgeSeconds, issuedAt, purpose }: UpstreamAttempt,
  now: number,
): void {
  if (maxAgeSeconds === null || (authTime === null && purpose === "confirm")) return;
  // A forced sign-in has to follow the request.
  const oldest = maxAgeSeconds === 0 ? issuedAt : now - maxAgeSeconds;
  if (authTime === null)
    throw new UpstreamError("sign_in_too_old", "the provider does not say when the user signed in");
  if (authTime < oldest - LEEWAY_SECONDS)
    throw new UpstreamError("sign_in_too_old", "the sign-in at the provider is too old");
}
