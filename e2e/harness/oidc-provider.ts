import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Provider, { type ClientMetadata, type Configuration } from "oidc-provider";

/** A real OpenID provider on loopback, with its own sign-in pages. */
export type RealProvider = { issuer: string; register(client: ClientMetadata): void; close(): void };

const CLAIMS = { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] };

/** Starts `oidc-provider`. A user who types a name there is `<name>@provider.example`, with any password. */
export async function startOidcProvider(): Promise<RealProvider> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clients: ClientMetadata[] = [];
  const settings: Configuration = {
    clients,
    claims: CLAIMS,
    conformIdTokenClaims: false,
    cookies: { keys: ["only for tests"] },
    features: { devInteractions: { enabled: true } },
    findAccount: (_, accountId) => ({
      accountId,
      claims: () => ({ sub: accountId, email: `${accountId}@provider.example`, email_verified: true, name: accountId }),
    }),
  };
  let handle: ReturnType<Provider["callback"]> | undefined;
  server.on("request", (request, response) => {
    handle ??= new Provider(issuer, settings).callback();
    handle(request, response);
  });
  return {
    issuer,
    /** Before the first request. */
    register: (client) => void clients.push(client),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
