import type { ProviderCheck } from "@gatehouse/accounts";
import { listSignInProviders } from "@gatehouse/db/stores/accounts/sign-in-providers";
import type { OperationDeps } from "../deps.ts";
import { DomainError } from "../domain-error.ts";

/**
 * Asks a provider whether our settings work: metadata, keys, PKCE and credentials. Signs nobody in. Throws `not_found`.
 */
export async function testSignInProvider(
  id: string,
  { db, upstream }: Pick<OperationDeps, "db" | "upstream">,
): Promise<ProviderCheck[]> {
  const provider = (await listSignInProviders(db)).find((one) => one.id === id);
  if (!provider) throw new DomainError("not_found", `There is no sign-in provider ${id}.`);
  return upstream.test(provider);
}
