import { type Exemption, type GrantStatus, grantProblem, invalidGrant, OAuthError } from "@gatehouse/auth";
import type { TestRun } from "@gatehouse/db/stores/auth/test-runs";

/** Lifetimes of a run and of its tokens, in seconds. CO-38, CO-42. */
export const TEST_RUN = { runSeconds: 600, tokenSeconds: 300 } as const;

/** The id of the run that an exemption id names; undefined for an exemption of another kind. */
export function runIdOf(exemptionId: string): string | undefined {
  return exemptionId.startsWith("run:") ? exemptionId.slice("run:".length) : undefined;
}

/** Can anything still be done in this run? */
export function isLiveRun(run: TestRun & GrantStatus, now: number): boolean {
  return now < run.expiresAt && grantProblem(run) === undefined;
}

/**
 * What a live run allows: its operator returns to the console, with codes and tokens of the run's own grant, which end
 * with it. It counts nowhere. `callback`: the console's redirect URI, from configuration. CO-38, CO-42.
 */
export function runExemption(run: TestRun, callback: string): Exemption {
  return {
    id: `run:${run.id}`,
    clientId: run.clientId,
    redirectUri: callback,
    endsAt: run.expiresAt,
    accessTokenSeconds: TEST_RUN.tokenSeconds,
    userId: run.operatorId,
    grantId: run.grantId,
    isTest: true,
    recordsOf: ({ store }) => ({
      store: {
        ...store,
        recordRefusal: (refusal) => store.recordRefusal({ ...refusal, uncounted: true }),
        touchClientSecret: async () => {},
      },
      usage: undefined,
    }),
    refusal: (of, detail) => REFUSALS[of](detail),
  };
}

const REFUSALS: Record<
  Parameters<Exemption["refusal"]>[0],
  (detail: Parameters<Exemption["refusal"]>[1]) => OAuthError
> = {
  user: () =>
    new OAuthError("invalid_request_uri", "test_run_of_other_user", "the signed-in user did not start the test run", {
      description:
        "Only the person who started this test run can continue it. Sign in with the account that you use in the console.",
    }),
  redirect_uri: (detail = {}) =>
    new OAuthError(
      "invalid_request",
      "test_run_redirect_differs",
      "not the console's callback, or a run of another client",
      {
        status: 400,
        description: "A test run can redirect only to the console.",
        detail,
      },
    ),
  credential: runDiffers,
};

/** The error for a request of a run that has ended. It appears on our own page. */
export function runEnded(): OAuthError {
  return new OAuthError("invalid_request_uri", "test_run_ended", "the test run has ended", {
    description: "This test run has ended. Start another one in the console.",
  });
}

/**
 * The error for a code or token of a run that is presented outside of it, and for any other one within a run: a ticket
 * redeems only what its run issued, and no other caller can redeem that. CO-40.
 */
export function runDiffers(): OAuthError {
  const message = "the credential and the request belong to different test runs, or only one of them to a run";
  return invalidGrant("test_run_differs", message);
}
