import {
  endWebhookSecret as endRow,
  findWebhookSecret,
  listWebhookSecrets as listRows,
  type WebhookSecretRow,
  writeProvider,
} from "@gatehouse/db";
import type { OperationDeps } from "../deps.ts";
import { DomainError, invalid, type Problem } from "../domain-error.ts";
import {
  isActiveSecret,
  isReadable,
  MAX_WEBHOOK_SECRETS,
  planSecret,
  type WebhookSecretDraft,
  webhookSecretProblems,
} from "./webhook-providers.ts";

type Part = Pick<OperationDeps, "handle" | "now" | "random" | "seal">;

/** A signing secret as the console shows it, without the secret itself. Times are Unix seconds. */
export type WebhookSecretView = {
  id: string;
  provider: string;
  name: string | null;
  /** Its last four characters. */
  hint: string;
  /** `unreadable`: encrypted with another GATEHOUSE_SECRET; it verifies nothing until it is entered again. */
  state: "active" | "ended" | "unreadable";
  createdAt: number;
  endsAt: number | null;
  /** When it last verified a delivery, to the minute. */
  lastMatchedAt: number | null;
};

/** The secrets of one provider or of all, including ended ones, oldest first. */
export async function listWebhookSecrets(
  { provider }: { provider?: string | undefined },
  deps: Pick<Part, "handle" | "now" | "seal">,
): Promise<WebhookSecretView[]> {
  return (await listRows(deps.handle, provider)).map((row) => view(row, deps));
}

/** Adds a secret; the provider's other secrets stay. Throws `invalid`, and `conflict` when it is already active or there are too many. */
export async function addWebhookSecret(draft: WebhookSecretDraft & { provider: string }, deps: Part): Promise<WebhookSecretView> {
  const { provider, endsAt = null } = draft;
  const now = deps.now();
  const problems = [...webhookSecretProblems(provider, draft.secret), ...endProblems(endsAt, now)];
  if (problems.length > 0) throw invalid(problems);

  const rows = await listRows(deps.handle, provider);
  const { write, effect } = planSecret({ ...draft, endsAt }, provider, rows, deps);
  const known = rows.find(({ hash }) => hash === write.row.hash);
  if (known && isActiveSecret(known, now) && effect !== "replaced")
    throw new DomainError("conflict", `This secret is already active (${known.id}).`);
  const others = rows.filter((row) => isActiveSecret(row, now) && row.hash !== write.row.hash);
  if (others.length >= MAX_WEBHOOK_SECRETS)
    throw new DomainError("conflict", `${MAX_WEBHOOK_SECRETS} secrets are already active. End those that are no longer used first.`);

  await writeProvider(deps.handle, { provider, enabled: undefined, secrets: [write], keep: undefined }, now);
  return existing(known?.id ?? write.row.id, deps);
}

/**
 * Ends a secret, now or at `endsAt`. The last active one of a provider ends only with `confirmLast`.
 * Throws `not_found` when it is not active, `conflict` for the last, `invalid` for an end in the past.
 */
export async function endWebhookSecret(
  { id, endsAt, confirmLast = false }: { id: string; endsAt?: number | undefined; confirmLast?: boolean | undefined },
  deps: Pick<Part, "handle" | "now" | "seal">,
): Promise<WebhookSecretView> {
  const now = deps.now();
  const problems = endProblems(endsAt ?? null, now);
  if (problems.length > 0) throw invalid(problems);

  const row = await findWebhookSecret(deps.handle, id);
  if (!row || !isActiveSecret(row, now)) throw missing();
  const others = (await listRows(deps.handle, row.endpoint)).filter((one) => one.id !== id && isActiveSecret(one, now));
  if (others.length === 0 && !confirmLast)
    throw new DomainError(
      "conflict",
      `This is the last active secret of ${row.endpoint}. Without it, deliveries are rejected. Add the new one first, or confirm.`,
    );
  if (!(await endRow(deps.handle, { id, endsAt: endsAt ?? now }, now))) throw missing();
  return existing(id, deps);
}

function endProblems(endsAt: number | null, now: number): Problem[] {
  if (endsAt === null || endsAt > now) return [];
  return [{ path: "endsAt", message: "is in the past. Use a later time, or leave it out" }];
}

async function existing(id: string, deps: Pick<Part, "handle" | "now" | "seal">): Promise<WebhookSecretView> {
  const row = await findWebhookSecret(deps.handle, id);
  if (!row) throw missing();
  return view(row, deps);
}

function view(row: WebhookSecretRow, { now, seal }: Pick<Part, "now" | "seal">): WebhookSecretView {
  const { id, endpoint: provider, name, hint, createdAt, expiresAt, removedAt, lastMatchedAt } = row;
  const state = !isActiveSecret(row, now()) ? "ended" : isReadable(row, seal) ? "active" : "unreadable";
  const ends = [expiresAt, removedAt].filter((end) => end !== null);
  return { id, provider, name, hint, state, createdAt, endsAt: ends.length > 0 ? Math.min(...ends) : null, lastMatchedAt };
}

function missing(): DomainError {
  return new DomainError("not_found", "There is no such active secret.");
}
