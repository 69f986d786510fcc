import type { LinkingDecision, LinkingProblem } from "./linking.ts";
import { descriptionOf, refusalCodeOf, type UpstreamError, type UpstreamProblem } from "./upstream-error.ts";

/** An account that a sign-in would lead to. */
type AccountShown = { id: string; email: string; disabled: boolean };

/** What a test of a provider found, for an admin. Nothing in it is a credential. */
export type UpstreamTestOutcome =
  | {
      kind: "arrived";
      issuer: string;
      subject: string;
      email: string | null;
      /** Whether Gatehouse takes the provider's word for the address. UP-07. */
      emailVerified: boolean;
      name: string | null;
      acr: string | null;
      amr: readonly string[];
      authTime: number | null;
      /** Our level that the settings map these to; null if none. UP-13. */
      level: string | null;
      leadsTo: {
        kind: Extract<LinkingDecision["kind"], "sign_in" | "link" | "prove" | "claim" | "create" | "refused">;
        account: AccountShown | null;
        reason: LinkingProblem | null;
      };
    }
  | {
      kind: "failed";
      problem: UpstreamProblem;
      /** What went wrong, in words for an admin. */
      detail: string;
      /** The provider's error code, and its own words. */
      code: string | null;
      description: string | null;
    };

/** A test that did not come to an answer. */
export function failedTest(error: UpstreamError): UpstreamTestOutcome {
  return {
    kind: "failed",
    problem: error.problem,
    detail: error.message,
    code: refusalCodeOf(error)?.slice(0, 100) ?? null,
    description: descriptionOf(error) ?? null,
  };
}
