import type { ActiveSession, Deps } from "@gatehouse/auth";
import { beginUpstream } from "./begin.ts";
import type { SignInProvider } from "./provider.ts";
import { failedTest, type UpstreamTestOutcome } from "./test-outcome.ts";
import type { Upstream } from "./upstream.ts";
import { UpstreamError } from "./upstream-error.ts";

// An admin's test of a provider begins and ends in the console, and passes through the server's own pages: the ticket
// leads there, the report back. Both are sealed, for one admin, and expire.

/** Lets the admin who asked begin one test, in a browser that is signed in as this admin. */
export type UpstreamTestTicket = { testId: string; providerId: string; userId: string; issuedAt: number };

/** What a test found. `version`: the provider's `updatedAt` at the test; null if it was removed. */
export type UpstreamTestReport = {
  testId: string;
  providerId: string;
  userId: string;
  version: number | null;
  outcome: UpstreamTestOutcome;
  issuedAt: number;
};

const TICKET_SECONDS = 300;
const REPORT_SECONDS = 600;

type Sealing = Pick<Deps, "seal" | "now">;

/** Where the admin's browser begins the test. */
export function testStartUrl(
  ticket: Omit<UpstreamTestTicket, "issuedAt">,
  { seal, now, config }: Sealing & Pick<Deps, "config">,
): string {
  const sealed = seal.seal(TICKET, JSON.stringify({ ...ticket, issuedAt: now() }));
  return `${config.issuer}/sign-in/with/${ticket.providerId}/test?${new URLSearchParams({ ticket: sealed })}`;
}

/** The report for the console. */
export function sealTestReport(report: Omit<UpstreamTestReport, "issuedAt">, { seal, now }: Sealing): string {
  return seal.seal(REPORT, JSON.stringify({ ...report, issuedAt: now() }));
}

/** The report, for the admin who began the test; undefined for anybody else, or after ten minutes. */
export function openTestReport(sealed: string, userId: string, deps: Sealing): UpstreamTestReport | undefined {
  const opened = deps.seal.open(REPORT, sealed);
  if (opened === undefined) return undefined;
  const report: UpstreamTestReport = JSON.parse(opened); // sealed by us
  return report.userId === userId && deps.now() < report.issuedAt + REPORT_SECONDS ? report : undefined;
}

/** The ticket, if it is for this provider and the user of this session; otherwise undefined. */
function openTestTicket(
  sealed: string,
  { providerId, userId }: { providerId: string; userId: string },
  deps: Sealing,
): UpstreamTestTicket | undefined {
  const opened = deps.seal.open(TICKET, sealed);
  if (opened === undefined) return undefined;
  const ticket: UpstreamTestTicket = JSON.parse(opened); // sealed by us
  const live = deps.now() < ticket.issuedAt + TICKET_SECONDS;
  return live && ticket.providerId === providerId && ticket.userId === userId ? ticket : undefined;
}

type Begun =
  | { kind: "unknown" }
  | { kind: "departed"; to: string; cookies: string[] }
  | { kind: "failed"; provider: SignInProvider; testId: string; outcome: UpstreamTestOutcome };

/**
 * Begins the test that a ticket allows, as a sign-in begins: with state, nonce and PKCE in a cookie of this browser.
 * The provider may be off. `unknown` without a ticket for this session's user.
 */
export async function beginUpstreamTest(
  { ticket, provider }: { ticket: string; provider: SignInProvider | undefined },
  session: ActiveSession,
  cookieHeader: string | null,
  deps: Pick<Deps, "config" | "seal" | "now" | "random"> & { upstream: Upstream },
): Promise<Begun> {
  if (!provider) return { kind: "unknown" };
  const opened = openTestTicket(ticket, { providerId: provider.id, userId: session.user.id }, deps);
  if (!opened) return { kind: "unknown" };
  const { testId } = opened;
  const start = {
    purpose: "test" as const,
    request: undefined,
    next: undefined,
    keep: false,
    maxAgeSeconds: null,
    selectAccount: false,
    sessionId: session.session.id,
    testId,
  };
  try {
    return { kind: "departed", ...(await beginUpstream(provider, start, cookieHeader, deps)) };
  } catch (thrown) {
    if (!(thrown instanceof UpstreamError)) throw thrown;
    return { kind: "failed", provider, testId, outcome: failedTest(thrown) };
  }
}

const TICKET = "sign-in provider test";
const REPORT = "sign-in provider test report";
