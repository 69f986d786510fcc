import { allowInsecureRequests, ClientSecretBasic, type Configuration, discovery } from "openid-client";
import { CLIENT_ID, env } from "@/env.ts";

let discovered: Promise<Configuration> | undefined;

/** Our own authorization server as its metadata describes it, read once, or anew where it matters that it answers now. A failure is not remembered. */
export function gatehouse({ anew = false } = {}): Promise<Configuration> {
  if (anew) discovered = undefined;
  discovered ??= discover().catch((error: unknown) => {
    discovered = undefined;
    throw error;
  });
  return discovered;
}

function discover(): Promise<Configuration> {
  const { issuer, clientSecret } = env();
  const { protocol, hostname } = new URL(issuer);
  const loopback = hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");
  return discovery(new URL(issuer), CLIENT_ID, clientSecret, ClientSecretBasic(clientSecret), {
    algorithm: "oauth2",
    ...(protocol === "http:" && loopback ? { execute: [allowInsecureRequests] } : {}),
  });
}
