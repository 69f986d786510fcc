import { normaliseEmail } from "../addresses/email-address.ts";
import type { FirstFactor } from "../gate/first-factor.ts";
import { readAttempt, spendAttempt, type UpstreamAttempt } from "./attempt.ts";
import { describeTest } from "./describe-test.ts";
import { exchangeCode, type UpstreamUser } from "./exchange.ts";
import { trustedLevel } from "./levels.ts";
import type { SignInProvider } from "./provider.ts";
import type { UpstreamCallback, UpstreamDeps, UpstreamResult } from "./result.ts";
import { settle } from "./settle.ts";
import { failedTest } from "./test-outcome.ts";
import { asUpstreamError, UpstreamError } from "./upstream-error.ts";

/**
 * Takes the browser back from a provider: checks the answer, finds or makes the account, and says how to continue.
 * UP-03…UP-09.
 */
export async function completeUpstream(callback: UpstreamCallback, deps: UpstreamDeps): Promise<UpstreamResult> {
  const { providerId, parameters, cookieHeader } = callback;
  const attempt = readAttempt(parameters.get("state") ?? "", cookieHeader, deps);
  // Mix-up: an answer of one provider at the callback of another. UP-04.
  if (!attempt || attempt.providerId !== providerId || !(await spendAttempt(attempt, deps))) return { kind: "unknown" };

  const providers = await deps.people.listSignInProviders();
  if (attempt.purpose === "test") return finishTest(attempt, providers, callback, deps);
  const provider = providers.find(({ id, enabled }) => id === providerId && enabled);
  const answer = await readAnswer(provider, attempt, parameters, deps);
  if (answer instanceof UpstreamError) return { kind: "failed", attempt, error: answer };
  const email = answer.user.email === null ? null : (normaliseEmail(answer.user.email) ?? null);
  return settle({ ...answer, email, attempt, factor: factorOf(answer), providers, ...callback }, deps);
}

/** A test reads the answer as a sign-in does, also of a provider that is off, and stops there. */
async function finishTest(
  attempt: UpstreamAttempt,
  providers: readonly SignInProvider[],
  callback: UpstreamCallback,
  deps: UpstreamDeps,
): Promise<UpstreamResult> {
  const { session, parameters, providerId } = callback;
  if (session === undefined || session.session.id !== attempt.sessionId) return { kind: "unknown" };
  const provider = providers.find(({ id }) => id === providerId);
  const answer = await readAnswer(provider, attempt, parameters, deps);
  if (answer instanceof UpstreamError) return { kind: "tested", attempt, provider, outcome: failedTest(answer) };
  const email = answer.user.email === null ? null : (normaliseEmail(answer.user.email) ?? null);
  const arrival = { ...answer, email, attempt, factor: factorOf(answer), providers, ...callback };
  return { kind: "tested", attempt, provider, outcome: await describeTest(arrival, deps) };
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

/** The ID token is kept only to sign out with it later. UP-12. */
function factorOf({ provider, user }: Answer): FirstFactor {
  const keepsIdToken = provider.settings.logout === "id_token_hint" && user.idToken !== null;
  const factor = {
    method: "upstream",
    provider: provider.id,
    ...trustedLevel(user, provider),
    authTime: user.authTime,
  } as const;
  return keepsIdToken && user.idToken !== null ? { ...factor, idToken: user.idToken } : factor;
}
