import { authorizationCodeGrant, type Configuration } from "openid-client";
import { connectUpstream, type UpstreamClientDeps } from "./client.ts";
import { guardedFetch } from "./guarded-fetch.ts";
import { PRESETS } from "./presets/index.ts";
import { fieldName } from "./presets/preset.ts";
import { callbackUrl, type SignInProvider, settingsOf } from "./provider.ts";
import { asUpstreamError, oauthErrorOf } from "./upstream-error.ts";

/** One thing that was tried at a provider. The sentence is for the administrator: what came back, and what to do. */
export type ProviderCheck = {
  check: "metadata" | "keys" | "pkce" | "credentials";
  state: "ok" | "warning" | "failed";
  sentence: string;
};

type TryDeps = UpstreamClientDeps & { config: { issuer: string } };

/**
 * Tries a provider without a user: reads its metadata and keys, and sends our credentials with a code that does not
 * exist.
 */
export async function tryProvider(provider: SignInProvider, deps: TryDeps): Promise<ProviderCheck[]> {
  let client: Configuration;
  try {
    client = await connectUpstream(provider, deps);
  } catch (thrown) {
    return [
      failed(
        "metadata",
        `The provider's metadata could not be used: ${asUpstreamError(thrown).message}. Check the issuer.`,
      ),
    ];
  }
  const openid = PRESETS[provider.preset].metadataOf === undefined;
  return [
    ...(openid
      ? [
          ok("metadata", `The provider answers as ${client.serverMetadata().issuer}.`),
          await tryKeys(client, provider, deps),
        ]
      : []),
    pkceOf(client),
    await tryCredentials(client, provider, deps),
  ];
}

async function tryKeys(client: Configuration, provider: SignInProvider, { outbound }: TryDeps): Promise<ProviderCheck> {
  const { jwks_uri: url } = client.serverMetadata();
  if (url === undefined)
    return failed("keys", "The provider's metadata names no jwks_uri, so its ID tokens cannot be verified.");
  try {
    const fetch = guardedFetch(settingsOf(provider).allowPrivateNetwork ? outbound.private : outbound.public);
    const { keys } = (await (
      await fetch(url, { method: "GET", headers: {}, body: undefined, redirect: "manual" })
    ).json()) as {
      keys?: unknown;
    };
    if (Array.isArray(keys) && keys.length > 0)
      return ok("keys", `The provider publishes ${keys.length === 1 ? "one key" : `${keys.length} keys`}.`);
    return failed("keys", "The provider publishes no keys.");
  } catch {
    return failed("keys", "The provider's keys could not be read.");
  }
}

function pkceOf(client: Configuration): ProviderCheck {
  if (client.serverMetadata().supportsPKCE()) return ok("pkce", "The provider supports PKCE.");
  return {
    check: "pkce",
    state: "warning",
    sentence: "The provider does not announce PKCE. Gatehouse sends it anyway; state and nonce protect the sign-in.",
  };
}

/** A server that looks at the client before the code (RFC 6749 §4.1.3) says `invalid_grant` to good credentials. */
async function tryCredentials(
  client: Configuration,
  provider: SignInProvider,
  { config }: TryDeps,
): Promise<ProviderCheck> {
  const url = new URL(`${callbackUrl(provider.id, config)}?code=gatehouse-connection-test&state=test`);
  const { issuer, authorization_response_iss_parameter_supported: sendsIssuer } = client.serverMetadata();
  if (sendsIssuer) url.searchParams.set("iss", issuer); // otherwise openid-client sends no request. RFC 9207 §2.4
  try {
    await authorizationCodeGrant(client, url, { expectedState: "test", pkceCodeVerifier: "x".repeat(43) });
    return { check: "credentials", state: "warning", sentence: "The provider accepted a code that does not exist." };
  } catch (thrown) {
    const error = asUpstreamError(thrown);
    const code = oauthErrorOf(error.cause) ?? "";
    if (ACCEPTED.includes(code)) return ok("credentials", `The provider accepts ${credentialsOf(provider, "and")}.`);
    if (error.problem === "misconfigured") return failed("credentials", `The secret cannot be used: ${error.message}.`);
    if (REFUSED.includes(code))
      return failed("credentials", `The provider refuses ${credentialsOf(provider)} (${code}).`);
    return {
      check: "credentials",
      state: "warning",
      sentence: `The provider's response does not show whether the credentials are valid: ${error.message}.`,
    };
  }
}

/** “Application (client) ID” or “Client secret value”. */
function credentialsOf({ preset }: SignInProvider, word: "and" | "or" = "or"): string {
  return `“${fieldName("clientId", PRESETS[preset])}” ${word} “${fieldName("secret", PRESETS[preset])}”`;
}

/** `bad_verification_code` and `incorrect_client_credentials` are GitHub's, with status 200. */
const ACCEPTED = ["invalid_grant", "bad_verification_code"];
const REFUSED = ["invalid_client", "unauthorized_client", "incorrect_client_credentials"];

const ok = (check: ProviderCheck["check"], sentence: string): ProviderCheck => ({ check, state: "ok", sentence });
const failed = (check: ProviderCheck["check"], sentence: string): ProviderCheck => ({
  check,
  state: "failed",
  sentence,
});
