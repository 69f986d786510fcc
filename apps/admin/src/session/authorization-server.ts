import { isLoopbackUrl } from "@gatehouse/runtime/loopback";
import { allowInsecureRequests, ClientSecretBasic, type Configuration, discovery } from "openid-client";
import { CLIENT_ID, env } from "@/env.ts";

let discovered: Promise<Configuration> | undefined;

/**
 * The Gatehouse server, described by its metadata (RFC 8414). The metadata is cached; `refresh` fetches it again, to
 * check that the server is up. A failure is not cached.
 * @throws when the server cannot be reached.
 */
export function authorizationServer({ refresh = false } = {}): Promise<Configuration> {
  if (refresh) discovered = undefined;
  discovered ??= discover().catch((error: unknown) => {
    discovered = undefined;
    throw error;
  });
  return discovered;
}

function discover(): Promise<Configuration> {
  const { issuer, clientSecret } = env();
  return discovery(new URL(issuer), CLIENT_ID, clientSecret, ClientSecretBasic(clientSecret), {
    algorithm: "oauth2",
    ...(issuer.startsWith("http:") && isLoopbackUrl(issuer) ? { execute: [allowInsecureRequests] } : {}),
  });
}
