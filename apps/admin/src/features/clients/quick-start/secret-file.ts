import {
  environmentFile,
  QUICK_STARTS,
  type QuickStartName,
  quickStartsFor,
  type RenderedFile,
  redirectUriFor,
} from "@gatehouse/ui/quick-starts";
import type { ClientView } from "@/trpc/types.ts";

/**
 * A new secret in the file that the quick start reads it from, complete. Without `framework` it is the first quick
 * start that works with the client.
 */
export function secretFile(
  client: ClientView,
  { issuer, secret, framework }: { issuer: string; secret: string; framework: QuickStartName | undefined },
): RenderedFile {
  const likeliest = quickStartsFor(client).find(
    (name) => QUICK_STARTS[name].secret && redirectUriFor(name, client.redirectUris) !== undefined,
  );
  const name = framework ?? likeliest ?? "curl-service";
  const redirectUri = redirectUriFor(name, client.redirectUris) ?? null;
  const values = { issuer, clientId: client.clientId, redirectUri, confidential: true };
  return environmentFile(name, values, secret) ?? { path: ".env", text: `CLIENT_SECRET=${secret}\n` };
}
