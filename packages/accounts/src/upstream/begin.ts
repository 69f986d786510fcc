import type { Deps } from "@gatehouse/auth";
import { attemptCookies, type UpstreamAttempt } from "./attempt.ts";
import { authorizationUrl, randomValue } from "./exchange.ts";
import type { SignInProvider } from "./provider.ts";
import type { Upstream } from "./upstream.ts";
import { asUpstreamError } from "./upstream-error.ts";

/** A sign-in at a provider that the browser asks for. */
export type UpstreamStart = Pick<
  UpstreamAttempt,
  "purpose" | "request" | "next" | "keep" | "maxAgeSeconds" | "sessionId" | "testId"
> & {
  /** The request asks the user to choose an account. */
  selectAccount: boolean;
  /** The address that the user typed. */
  loginHint?: string | undefined;
};

/**
 * Begins a sign-in at a provider: where to send the browser, and the cookies that know its way back. Rejects with
 * `UpstreamError` if the provider cannot be reached. UP-02, UP-03.
 */
export async function beginUpstream(
  provider: SignInProvider,
  { loginHint, selectAccount, ...start }: UpstreamStart,
  cookieHeader: string | null,
  deps: Pick<Deps, "config" | "seal" | "now" | "random"> & { upstream: Upstream },
): Promise<{ to: string; cookies: string[] }> {
  const { random, config } = deps;
  const attempt: UpstreamAttempt = {
    ...start,
    providerId: provider.id,
    state: randomValue(random),
    nonce: randomValue(random),
    verifier: randomValue(random),
    issuedAt: deps.now(),
  };
  try {
    const to = await authorizationUrl(await deps.upstream.clientOf(provider), provider, attempt, {
      loginHint,
      selectAccount,
      config,
    });
    return { to, cookies: attemptCookies(attempt, cookieHeader, deps) };
  } catch (thrown) {
    throw asUpstreamError(thrown);
  }
}
