import { mintId, sha256 } from "@gatehouse/auth";
import { ensureProvider, insertWebhookSecret, knownWebhookSecrets, setProviderEnabled, WEBHOOK_SECRET_PURPOSE } from "@gatehouse/db";
import { isProvider, PROVIDERS } from "@gatehouse/webhooks";
import type { ApiDeps } from "../deps.ts";
import { invalid, type Problem } from "../domain-error.ts";

export type ProviderDraft = { provider: string; secrets: string[]; enabled: boolean };

/** Everything that is wrong with a provider's settings; empty when they are sound. */
export function providerProblems({ provider, secrets }: Pick<ProviderDraft, "provider" | "secrets">): Problem[] {
  if (!isProvider(provider))
    return [{ path: "provider", message: `there is no such provider; there are ${Object.keys(PROVIDERS).join(", ")}` }];
  const { name, keysOf } = PROVIDERS[provider];
  return secrets.flatMap((secret, at) =>
    keysOf(secret.trim()).length > 0 ? [] : [{ path: `secrets.${at}`, message: `this is not a signing secret as ${name} issues it` }],
  );
}

/** Configures a provider: secrets are added beside those it has, sealed. Says whether anything changed and how many were added. */
export async function configureProvider(
  draft: ProviderDraft,
  deps: Pick<ApiDeps, "handle" | "now" | "random" | "seal">,
): Promise<{ created: boolean; switched: boolean; secretsAdded: number }> {
  const problems = providerProblems(draft);
  if (problems.length > 0) throw invalid(problems);
  const { handle, now, random, seal } = deps;
  const { provider } = draft;

  const created = await ensureProvider(handle, provider, now());
  const switched = await setProviderEnabled(handle, provider, draft.enabled, now());
  const wanted = [...new Set(draft.secrets.map((secret) => secret.trim()))].map((value) => ({ value, hash: sha256(value) }));
  const known = await knownWebhookSecrets(
    handle,
    provider,
    wanted.map(({ hash }) => hash),
  );
  let secretsAdded = 0;
  for (const { value, hash } of wanted.filter(({ hash }) => !known.includes(hash))) {
    const sealed = seal.seal(WEBHOOK_SECRET_PURPOSE, value);
    const added = await insertWebhookSecret(handle, {
      id: mintId(random),
      provider,
      sealed,
      hash,
      hint: value.slice(-4),
      createdAt: now(),
    });
    if (added) secretsAdded += 1;
  }
  return { created, switched, secretsAdded };
}
