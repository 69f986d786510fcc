import type { ActiveSession } from "@gatehouse/auth";
import { normaliseEmail } from "../addresses/email-address.ts";
import type { AccountDeps } from "../deps.ts";
import type { FirstFactor } from "../gate/first-factor.ts";
import type { AccountRequest } from "../registration/account-request.ts";
import type { Person } from "../store/people.ts";
import { readAttempt, spendAttempt, type UpstreamAttempt } from "./attempt.ts";
import { exchangeCode, type UpstreamUser } from "./exchange.ts";
import { trustedLevel } from "./levels.ts";
import type { LinkingRefusal } from "./linking.ts";
import type { SignInProvider } from "./provider.ts";
import { settle } from "./settle.ts";
import type { Upstream } from "./upstream.ts";
import { asUpstreamError, UpstreamError } from "./upstream-error.ts";

/** What comes of the answer of a provider. The caller ends the attempt's cookies in each case. */
export type UpstreamResult =
  /** This browser did not begin it, or the answer came before. UP-03. */
  | { kind: "unknown" }
  | { kind: "failed"; attempt: UpstreamAttempt; error: UpstreamError }
  | { kind: "refused"; attempt: UpstreamAttempt; reason: LinkingRefusal }
  | { kind: "signed_in"; attempt: UpstreamAttempt; person: Person; factor: FirstFactor }
  | { kind: "confirmed"; attempt: UpstreamAttempt; factor: FirstFactor }
  /** The user has to sign in to the account with this address once. `cookie` keeps the identity until then. */
  | { kind: "prove"; attempt: UpstreamAttempt; email: string; cookie: string }
  | { kind: "connected"; attempt: UpstreamAttempt };

export type UpstreamDeps = AccountDeps & { upstream: Upstream };

export type UpstreamCallback = {
  providerId: string;
  parameters: URLSearchParams;
  cookieHeader: string | null;
  session: ActiveSession | undefined;
  request: AccountRequest;
};

/** Takes the browser back from a provider: checks the answer, finds or makes the account, and says how to continue. UP-03…UP-09. */
export async function completeUpstream(callback: UpstreamCallback, deps: UpstreamDeps): Promise<UpstreamResult> {
  const { providerId, parameters, cookieHeader } = callback;
  const attempt = readAttempt(parameters.get("state") ?? "", cookieHeader, deps);
  // Mix-up: an answer of one provider at the callback of another. UP-04.
  if (!attempt || attempt.providerId !== providerId || !(await spendAttempt(attempt, deps))) return { kind: "unknown" };

  const providers = await deps.people.listSignInProviders();
  const provider = providers.find(({ id, enabled }) => id === providerId && enabled);
  const answer = await readAnswer(provider, attempt, parameters, deps);
  if (answer instanceof UpstreamError) return { kind: "failed", attempt, error: answer };
  const email = answer.user.email === null ? null : (normaliseEmail(answer.user.email) ?? null);
  return settle({ ...answer, email, attempt, factor: factorOf(answer), providers, ...callback }, deps);
}

type Answer = { provider: SignInProvider; user: UpstreamUser };

async function readAnswer(
  provider: SignInProvider | undefined,
  attempt: UpstreamAttempt,
  callback: URLSearchParams,
  deps: UpstreamDeps,
): Promise<Answer | UpstreamError> {
  if (!provider) return new UpstreamError("misconfigured", "the provider was removed or switched off");
  try {
    const user = await exchangeCode(await deps.upstream.clientOf(provider), provider, attempt, {
      callback,
      config: deps.config,
      now: deps.now,
    });
    return { provider, user };
  } catch (thrown) {
    return asUpstreamError(thrown);
  }
}

/** The ID token goes on only to sign out with it later. UP-12. */
function factorOf({ provider, user }: Answer): FirstFactor {
  const keepsIdToken = provider.settings.logout === "id_token_hint" && user.idToken !== null;
  const factor = { method: "upstream", provider: provider.id, ...trustedLevel(user, provider), authTime: user.authTime } as const;
  return keepsIdToken && user.idToken !== null ? { ...factor, idToken: user.idToken } : factor;
}
