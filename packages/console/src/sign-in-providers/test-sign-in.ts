import { openTestReport, PRESETS, testStartUrl, type UpstreamTestOutcome } from "@gatehouse/accounts";
import { mintId, sha256 } from "@gatehouse/auth";
import { listSignInProviders } from "@gatehouse/db/stores/accounts/sign-in-providers";
import { auditWrite } from "../audit/entry.ts";
import { listAuditHistory } from "../audit/queries.ts";
import type { OperationDeps } from "../deps.ts";
import { DomainError } from "../domain-error.ts";
import type { Author } from "../permissions.ts";
import { adviceOnTest } from "./test-advice.ts";

const NO_REPORT = "This result is not yours, or is older than ten minutes. Test the sign-in again.";
/** As long as a report can be opened. */
const REPORT_SECONDS = 600;

type Part = Pick<OperationDeps, "db" | "now" | "random" | "seal" | "config" | "store">;

/**
 * Lets the admin test a sign-in at a provider, which may be off: returns where the browser begins. Throws `not_found`.
 * UP-01.
 */
export async function startSignInTest(id: string, author: Author, deps: Part): Promise<{ url: string }> {
  const provider = (await listSignInProviders(deps.db)).find((one) => one.id === id);
  if (!provider) throw new DomainError("not_found", `There is no sign-in provider ${id}.`);
  const testId = mintId(deps.random);
  const entry = {
    action: "sign_in_provider.test" as const,
    object: id,
    objectName: provider.name,
    detail: { test: testId, step: "started" },
  };
  await deps.db.transaction([auditWrite(author, entry, deps)]);
  return { url: testStartUrl({ testId, providerId: id, userId: author.id }, deps) };
}

export type SignInTestResult = {
  outcome: UpstreamTestOutcome;
  /** What to change, and where, if something is to be changed. */
  advice: string | null;
  /** The provider was changed since, so that the result says nothing about it. */
  changedSince: boolean;
};

/**
 * Reads the result that the browser brought back, and records it the first time. Throws `not_found` for a report of
 * somebody else, of another provider, or an old one.
 */
export async function finishSignInTest(
  { id, report }: { id: string; report: string },
  author: Author,
  deps: Part,
): Promise<SignInTestResult> {
  const opened = openTestReport(report, author.id, deps);
  const provider = (await listSignInProviders(deps.db)).find((one) => one.id === id);
  if (!opened || !provider || opened.providerId !== id) throw new DomainError("not_found", NO_REPORT);
  const { outcome, testId, version, issuedAt } = opened;
  const changedSince = version !== provider.updatedAt;
  if (await deps.store.spendOnce(sha256(`sign-in test ${testId}`), issuedAt + REPORT_SECONDS)) {
    const result = changedSince ? "changed_since" : outcome.kind === "arrived" ? "worked" : outcome.problem;
    const entry = {
      action: "sign_in_provider.test" as const,
      object: id,
      objectName: provider.name,
      detail: { test: testId, step: "finished", result },
    };
    await deps.db.transaction([auditWrite(author, entry, deps)]);
  }
  return { outcome, advice: adviceOnTest(outcome, provider, PRESETS[provider.preset], deps.config), changedSince };
}

/** More rows than anybody makes between two changes of a provider. */
const LOOKED_AT = 50;

/** Results that show wrong settings. The others say something about one user, or one moment. */
const BROKEN: readonly unknown[] = ["exchange_refused", "answer_invalid", "misconfigured"];

/** Whether a test of a sign-in worked since the provider's settings were last changed, and none has failed since. */
export async function wasTested(id: string, { reads }: Pick<OperationDeps, "reads">): Promise<boolean> {
  for (const { action, detail } of await listAuditHistory(reads, { objects: [id], limit: LOOKED_AT })) {
    const result = action === "sign_in_provider.test" ? detail?.["result"] : undefined;
    if (result === "worked") return true;
    if (BROKEN.includes(result)) return false;
    if (action === "sign_in_provider.update" || action === "sign_in_provider.create") return false;
  }
  return false;
}
