import type { ApiResource } from "../store/api-resources.ts";
import { NOON, type Scene } from "./scene.ts";

const registered = {
  tokenFormat: "opaque",
  tokenAlgorithm: "RS256",
  environments: null,
  attachedBy: "admins",
  strangers: "refused",
  createdAt: NOON,
  disabledAt: null,
} as const;

/** Its tokens are opaque. */
export const STOCK: ApiResource = {
  ...registered,
  id: "https://stock.example",
  name: "Stock",
  scopes: [
    { name: "stock:read", description: "see what is in stock" },
    { name: "stock:write", description: "change what is in stock" },
  ],
};

/** Under our own address, with tokens that it verifies by itself. */
export const MAIL: ApiResource = {
  ...registered,
  id: "https://gate.example/mail",
  name: "Mail",
  scopes: [{ name: "mail:send", description: "send mail in your name" }],
  tokenFormat: "jwt",
  tokenAlgorithm: "ES256",
};

/** Registers both resources and allows these clients to request tokens for them. */
export function registerResources(s: Scene, ...clientIds: string[]): void {
  for (const resource of [STOCK, MAIL]) s.tables.resources.set(resource.id, resource);
  const scopes = [STOCK, MAIL].flatMap((resource) => resource.scopes.map(({ name }) => name));
  for (const clientId of clientIds) {
    const client = s.tables.clients.get(clientId);
    s.changeClient(clientId, {
      scopes: [...(client?.scopes ?? []), ...scopes],
      options: { ...client?.options, resources: [STOCK.id, MAIL.id] },
    });
  }
}
