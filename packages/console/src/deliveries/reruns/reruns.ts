import { type Environment, mintTimeOrderedId } from "@gatehouse/auth";
import type { RerunProblem, RerunSelection, RerunState } from "@gatehouse/db/schema/sqlite/webhook-runs";
import { jobInsert } from "@gatehouse/db/stores/jobs/jobs";
import { findStoredDelivery } from "@gatehouse/db/stores/webhooks/handler-runs";
import { cancelRerun as cancelRow, findRerun, insertRerun } from "@gatehouse/db/stores/webhooks/reruns";
import { auditWrite } from "../../audit/entry.ts";
import type { OperationDeps } from "../../deps.ts";
import { DomainError } from "../../domain-error.ts";
import type { DeliveryFilter } from "../../lists/lists.ts";
import { type Author, assertMayManage } from "../../permissions.ts";
import { NO_BODY, PROBE } from "../detail/payload.ts";

type Part = Pick<OperationDeps, "db" | "now" | "random">;

/** The queue whose jobs work off runs. */
export const RERUN_QUEUE = "rerun";

/** How far a run came. Times are Unix seconds. */
export type RerunView = {
  id: string;
  state: RerunState;
  /** How many deliveries there are, as far as is known: a filter's are counted while they are found. */
  total: number;
  totalKnown: boolean;
  done: number;
  succeeded: number;
  failed: number;
  skipped: number;
  /** The deliveries that were not handled, and why; the first thousand. */
  problems: RerunProblem[];
  createdAt: number;
  finishedAt: number | null;
};

/**
 * Runs the handlers of a delivery's events again. Returns at once: {@link getRerun} says how it goes. Effects behind
 * `once` do not happen a second time. Throws `not_found`, `conflict` for a refused delivery, a probe or a deleted
 * payload, `forbidden` for an environment that `actor` does not manage.
 */
export async function rerunDelivery(id: string, actor: Author, deps: Part): Promise<{ rerunId: string }> {
  const delivery = await findStoredDelivery(deps.db, id);
  if (!delivery)
    throw new DomainError("not_found", "There is no such delivery, or it has been deleted because of its age.");
  if (delivery.outcome === "rejected")
    throw new DomainError("conflict", "This delivery was refused, so it has no event to handle.");
  assertMayManage(actor, delivery.environment);
  if (delivery.source === "probe") throw new DomainError("conflict", PROBE);
  if (delivery.body === null) throw new DomainError("conflict", NO_BODY);
  const about = { objectName: delivery.endpoint, environment: delivery.environment };
  return start({ kind: "ids", ids: [id] }, "manual", about, actor, deps);
}

/**
 * The same for many deliveries: at most 1,000 ids. Those in an environment that `actor` does not manage are skipped.
 */
export function rerunDeliveries(ids: readonly string[], actor: Author, deps: Part): Promise<{ rerunId: string }> {
  const selected = [...new Set(ids)];
  return start(
    { kind: "ids", ids: selected },
    "bulk",
    { objectName: `${selected.length} deliveries`, environment: null },
    actor,
    deps,
  );
}

/** The same for what the console's list finds with this filter: the newest 10,000. */
export function rerunMatching(filter: DeliveryFilter, actor: Author, deps: Part): Promise<{ rerunId: string }> {
  return start(
    { kind: "filter", filter },
    "bulk",
    { objectName: "Deliveries by filter", environment: filter.environment ?? null },
    actor,
    deps,
  );
}

/** `about`: what the audit log calls the deliveries, and their environment if all have the same. */
async function start(
  selection: RerunSelection,
  trigger: "manual" | "bulk",
  about: { objectName: string; environment: Environment | null },
  actor: Author,
  deps: Part,
): Promise<{ rerunId: string }> {
  const { db, now } = deps;
  const [id, jobId] = [mintTimeOrderedId(deps), mintTimeOrderedId(deps)];
  const createdAt = now();
  const counts = { total: selection.kind === "ids" ? selection.ids.length : 0, succeeded: 0, failed: 0, skipped: 0 };
  const who = { actorId: actor.id, actorName: actor.name, role: actor.role };
  const detail = selection.kind === "ids" ? { deliveries: selection.ids } : { filter: selection.filter };
  await db.transaction([
    insertRerun(db, {
      id,
      trigger,
      selection,
      createdAt,
      cursor: null,
      problems: [],
      finishedAt: null,
      state: "queued",
      ...who,
      ...counts,
      totalKnown: selection.kind === "ids",
    }),
    jobInsert(db, { id: jobId, queue: RERUN_QUEUE, payload: { rerunId: id }, createdAt }),
    auditWrite(actor, { action: "webhook.replay", object: id, ...about, detail }, deps),
  ]);
  return { rerunId: id };
}

/** How far a run came. Its starter and admins may see it. Throws `not_found`. */
export async function getRerun(id: string, actor: Author, { db }: Pick<Part, "db">): Promise<RerunView> {
  const row = await ownRerun(id, actor, db);
  const { state, total, totalKnown, succeeded, failed, skipped, problems, createdAt, finishedAt } = row;
  const done = succeeded + failed + skipped;
  return { id, state, total, totalKnown, done, succeeded, failed, skipped, problems, createdAt, finishedAt };
}

/**
 * Stops a run. What it has handled stays handled. Its starter and admins may. Throws `not_found`, and `conflict` if it
 * has ended.
 */
export async function cancelRerun(id: string, actor: Author, deps: Part): Promise<void> {
  await ownRerun(id, actor, deps.db);
  const audited = auditWrite(
    actor,
    { action: "webhook.replay_cancel", object: id, objectName: "Deliveries run again" },
    deps,
  );
  if (await deps.db.guarded(cancelRow(deps.db, id, deps.now()), [audited])) return;
  throw new DomainError("conflict", "This run has already ended.");
}

/** To everybody else a run does not exist: its problems name deliveries of environments that they may not manage. */
async function ownRerun(id: string, actor: Author, db: Part["db"]) {
  const row = await findRerun(db, id);
  if (!row || (row.actorId !== actor.id && actor.role !== "admin")) throw missing();
  return row;
}

function missing(): DomainError {
  return new DomainError("not_found", "There is no such run, or it has been deleted because of its age.");
}
