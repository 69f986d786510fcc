import type { Deps } from "../deps.ts";
import { OAuthError } from "../errors/error.ts";
import { grantProblem, invalidGrant } from "../tokens/grant-status.ts";

/**
 * A run of a client that an operator started in the console. Its codes and tokens belong to one grant, which is written when the run starts:
 * revoking it ends the run and everything issued in it, including what is being written. CO-38.
 */
export type TestRun = {
  id: string;
  clientId: string;
  /** The only user who can sign in, allow and get tokens. */
  operatorId: string;
  grantId: string;
  /** Unix seconds. */
  expiresAt: number;
};

/** Lifetimes of a run and of its tokens, in seconds. CO-38, CO-42. */
export const TEST_RUN = { runSeconds: 600, tokenSeconds: 300 } as const;

/** The run with this id. Throws `invalid_request_uri`, which appears on our own page, once it has ended. */
export async function liveTestRun(id: string, deps: Pick<Deps, "store" | "now">): Promise<TestRun> {
  const run = await findLiveTestRun(id, deps);
  if (run) return run;
  throw new OAuthError("invalid_request_uri", "test_run_ended", "the test run has ended", {
    description: "This test run has ended. Start another one in the console.",
  });
}

/** The run with this id; undefined when there is none or it has ended. */
export async function findLiveTestRun(id: string, { store, now }: Pick<Deps, "store" | "now">): Promise<TestRun | undefined> {
  const run = await store.findTestRun(id);
  return run && now() < run.expiresAt && grantProblem(run) === undefined ? run : undefined;
}

/** Throws unless the signed-in user is the operator. The error appears on our own page. CO-39. */
export function requireOperator(run: TestRun | undefined, user: { id: string }): void {
  if (run === undefined || run.operatorId === user.id) return;
  throw new OAuthError("invalid_request_uri", "test_run_of_other_user", "the signed-in user did not start the test run", {
    description: "Only the person who started this test run can continue it. Sign in with the account that you use in the console.",
  });
}

/**
 * Throws `invalid_grant` unless a credential of a run is presented in that run, and any other credential outside of runs: the ticket of a run
 * redeems nothing else, and nobody but the run redeems what it issued. CO-40.
 */
export function requireSameRun(ofCredential: string | null | undefined, { testRun }: Pick<Deps, "testRun">): void {
  if ((ofCredential ?? undefined) === testRun?.id) return;
  throw invalidGrant("test_run_differs", "the credential and the request belong to different test runs, or only one of them to a run");
}

/** The dependencies without statistics, since a run counts nowhere. CO-42. */
export function uncounted({ usage: _, ...deps }: Deps): Deps {
  return deps;
}
