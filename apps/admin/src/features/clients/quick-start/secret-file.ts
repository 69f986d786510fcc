import {
  environmentFile,
  QUICK_STARTS,
  type QuickStartName,
  quickStartsFor,
  type RenderedFile,
  redirectUriFor,
} from "@gatehouse/ui/quick-starts";
import type { ClientView } from "@/trpc/types.ts";

/** For a framework's own cookies. */
export function randomText(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * A new secret in the file that the quick start reads it from, complete. Without `framework` it is the first quick
 * start that works with the client.
 */
export function secretFile(client: ClientView, secret: string, framework?: QuickStartName): RenderedFile {
  const likeliest = quickStartsFor(client).find(
    (name) => QUICK_STARTS[name].secret && redirectUriFor(name, client.redirectUris) !== undefined,
  );
  const name = framework ?? likeliest ?? "curl-service";
  const redirectUri = redirectUriFor(name, client.redirectUris) ?? null;
  return (
    environmentFile(name, { redirectUri, confidential: true }, randomText(), secret) ?? {
      path: ".env",
      text: `CLIENT_SECRET=${secret}\n`,
    }
  );
}
