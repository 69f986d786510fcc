import { callbackUrl, type ProviderCheck, type SignInProvider } from "@gatehouse/accounts";
import { listSignInProviders } from "@gatehouse/db/stores/accounts/sign-in-providers";
import type { Finding } from "@gatehouse/webhooks/doctor";
import type { OperationDeps } from "../deps.ts";

type Part = Pick<OperationDeps, "db" | "upstream" | "config">;

/**
 * What the doctor says about each provider that users can sign in with: its metadata, issuer and keys, and our
 * credentials.
 */
export async function* checkSignInProviders(deps: Part): AsyncGenerator<Finding> {
  const providers = (await listSignInProviders(deps.db)).filter(({ enabled }) => enabled);
  for (const provider of providers) yield findingOf(provider, await deps.upstream.test(provider), deps);
}

function findingOf({ id, name }: SignInProvider, checks: readonly ProviderCheck[], { config }: Part): Finding {
  const callback = callbackUrl(id, config);
  const finding = {
    check: `sign_in_provider_${id}`,
    endpoint: null,
    title: `Users can sign in with ${name} (callback URL ${callback})`,
  };
  // A provider that does not announce PKCE works all the same.
  const relevant = checks.filter(({ check }) => check !== "pkce");
  const worst = relevant.find(({ state }) => state === "failed") ?? relevant.find(({ state }) => state === "warning");
  if (!worst)
    return {
      ...finding,
      state: "ok",
      seen: callback,
      sentence: relevant.map(({ sentence }) => sentence).join(" "),
      fix: null,
    };
  return {
    ...finding,
    state: worst.state,
    seen: `a problem with the ${worst.check}`,
    sentence: worst.sentence,
    fix: fixOf(worst, callback),
  };
}

function fixOf({ check }: ProviderCheck, callback: string): string {
  switch (check) {
    case "metadata":
      return "Enter the issuer exactly as the provider spells it, and let this server reach it.";
    case "keys":
      return "Ask the operator of the provider: its jwks_uri has to answer with keys.";
    default:
      return `Check the client ID and secret, and register ${callback} as redirect URI.`;
  }
}
