import {
  beginUpstreamTest,
  type SignInProvider,
  sealTestReport,
  type UpstreamResult,
  type UpstreamTestOutcome,
} from "@gatehouse/accounts";
import type { ActiveSession } from "@gatehouse/auth";
import type { Visit } from "../../../routing/visit.ts";
import { seeOther } from "../../responses/respond.ts";
import { unknownAttempt } from "./departure.tsx";

/**
 * Sends an admin's browser to a provider for a test, which signs nobody in. The console's ticket in the query is for
 * the user of this session; it changes nothing here, so a GET is enough.
 */
export async function testProvider(providerId: string, visit: Visit<ActiveSession>): Promise<Response> {
  const { app, request, session, url } = visit;
  const provider = (await app.deps.people.listSignInProviders()).find(({ id }) => id === providerId);
  const ticket = url.searchParams.get("ticket") ?? "";
  const header = request.headers.get("cookie");
  const begun = await beginUpstreamTest({ ticket, provider }, session, header, app.deps);
  if (begun.kind === "unknown") return unknownAttempt(visit);
  if (begun.kind === "departed") return seeOther(begun.to, { cookies: begun.cookies });
  return toReport({ ...begun, providerId }, session, visit);
}

/** Back to the console, with what the test found. */
export async function toTestReport(
  { attempt, provider, outcome }: Extract<UpstreamResult, { kind: "tested" }>,
  visit: Visit,
): Promise<Response> {
  const { testId, providerId } = attempt;
  if (testId === undefined || !visit.session) return unknownAttempt(visit);
  return toReport({ testId, providerId, provider, outcome }, visit.session, visit);
}

type Finished = {
  testId: string;
  providerId: string;
  provider: SignInProvider | undefined;
  outcome: UpstreamTestOutcome;
};

/** The report is sealed for the user of this session: nobody else can open it. */
function toReport(
  { testId, providerId, provider, outcome }: Finished,
  { user }: ActiveSession,
  { app }: Visit,
): Response {
  const report = { testId, providerId, userId: user.id, version: provider?.updatedAt ?? null, outcome };
  const query = new URLSearchParams({ report: sealTestReport(report, app.deps) });
  return seeOther(`${app.env.adminUrl}/sign-in-providers/${encodeURIComponent(providerId)}?${query}`);
}
