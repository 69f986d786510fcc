import type { FetchBytes, Seal } from "@gatehouse/auth";
import { isUrl } from "@gatehouse/runtime";
import {
  allowInsecureRequests,
  type ClientAuth,
  Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
} from "openid-client";
import { authenticationOf } from "./client-authentication.ts";
import { guardedFetch } from "./guarded-fetch.ts";
import { PRESETS } from "./presets/index.ts";
import { type SignInProvider, settingsOf } from "./provider.ts";
import { asUpstreamError, UpstreamError } from "./upstream-error.ts";

/** What requests to providers need. `private` also reaches private networks. */
export type UpstreamClientDeps = {
  outbound: { public: FetchBytes; private: FetchBytes };
  seal: Pick<Seal, "open">;
  /** Unix seconds. */
  now: () => number;
};

const TIMEOUT_SECONDS = 5;

/** Reads the provider's metadata, uncached. Rejects with `UpstreamError`. */
export async function connectUpstream(provider: SignInProvider, deps: UpstreamClientDeps): Promise<Configuration> {
  const preset = PRESETS[provider.preset];
  const issuer = preset.issuerOf(provider);
  if (!isUrl(issuer)) throw new UpstreamError("misconfigured", "the issuer is not a URL");
  // openid-client checks ID tokens received from the token endpoint without their signature, unless told so (UP-04).
  // Plain http: the guard behind `customFetch` decides, and admits it on loopback only.
  const execute = [enableNonRepudiationChecks, ...(issuer.startsWith("http:") ? [allowInsecureRequests] : [])];
  const fetch = guardedFetch(settingsOf(provider).allowPrivateNetwork ? deps.outbound.private : deps.outbound.public);
  const authenticate: ClientAuth = (server, ...rest) => authenticationOf(provider, server, deps)(server, ...rest);

  const known = preset.metadataOf?.(provider);
  if (known) {
    const client = new Configuration(known, provider.clientId, undefined, authenticate);
    client.timeout = TIMEOUT_SECONDS;
    client[customFetch] = fetch;
    for (const extension of execute) extension(client);
    return client;
  }
  try {
    const options = { execute, timeout: TIMEOUT_SECONDS, [customFetch]: fetch };
    const client = await discovery(new URL(issuer), provider.clientId, undefined, authenticate, options);
    assertIssuer(client.serverMetadata().issuer, issuer, provider);
    return client;
  } catch (thrown) {
    throw asUpstreamError(thrown);
  }
}

/**
 * OpenID Connect Discovery §4.3: byte for byte. Entra names its issuer with a placeholder, which openid-client replaces
 * by the token's tenant.
 */
function assertIssuer(found: string, expected: string, { preset }: SignInProvider): void {
  if (found === expected || preset === "microsoft") return;
  throw new UpstreamError(
    "misconfigured",
    `the provider calls itself ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`,
  );
}
