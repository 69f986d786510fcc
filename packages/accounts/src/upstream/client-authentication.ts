import type { Seal } from "@gatehouse/auth";
import { type ClientAuth, ClientSecretBasic, ClientSecretPost, None, type ServerMetadata } from "openid-client";
import { PRESETS } from "./presets/index.ts";
import { type SignInProvider, secretPurpose } from "./provider.ts";
import { UpstreamError } from "./upstream-error.ts";

/**
 * How the client proves itself at the token endpoint: as the preset says, or with its secret. Throws `UpstreamError`
 * for an unreadable secret.
 */
export function authenticationOf(
  provider: SignInProvider,
  server: Pick<ServerMetadata, "token_endpoint_auth_methods_supported">,
  deps: { seal: Pick<Seal, "open">; now: () => number },
): ClientAuth {
  const { authenticate } = PRESETS[provider.preset];
  if (provider.secret === null) return None();
  const secret = deps.seal.open(secretPurpose(provider.id), provider.secret);
  if (secret === undefined)
    throw new UpstreamError("misconfigured", "the stored secret was sealed with another GATEHOUSE_SECRET");
  if (authenticate) return authenticate(provider, secret, deps);
  return prefersBasic(provider, server) ? ClientSecretBasic(secret) : ClientSecretPost(secret);
}

/**
 * OpenID Connect Discovery §3: `client_secret_basic` is the default. Providers disagree on how to encode it, so the
 * other one goes first.
 */
function prefersBasic(
  { settings }: SignInProvider,
  server: Pick<ServerMetadata, "token_endpoint_auth_methods_supported">,
): boolean {
  const chosen = settings.clientAuthentication;
  if (chosen !== undefined) return chosen === "client_secret_basic";
  return server.token_endpoint_auth_methods_supported?.includes("client_secret_post") !== true;
}
