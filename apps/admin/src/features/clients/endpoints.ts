import type { ClientView } from "@/trpc/types.ts";

type Endpoint = { label: string; what: string; value: string };

const DEVICE = "urn:ietf:params:oauth:grant-type:device_code";

/** The URLs that a client of these grants uses, for libraries without discovery. Docs: point-a-client.md. */
export function endpointsOf({ grantTypes, resourceServer, options }: ClientView, issuer: string): Endpoint[] {
  const endpoint = (path: string, name: string) => ({ label: name, what: name.toLowerCase(), value: issuer + path });
  return [
    endpoint("/.well-known/openid-configuration", "Discovery document"),
    ...(grantTypes.includes("authorization_code") ? [endpoint("/authorize", "Authorization endpoint")] : []),
    ...(options.requirePushedRequests ? [endpoint("/par", "Pushed request endpoint")] : []),
    ...(grantTypes.includes(DEVICE) ? [endpoint("/device_authorization", "Device authorization endpoint")] : []),
    endpoint("/token", "Token endpoint"),
    ...(resourceServer ? [endpoint("/introspect", "Introspection endpoint")] : []),
  ];
}
