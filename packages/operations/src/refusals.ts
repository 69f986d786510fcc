import { actorOf, ERRORS, normaliseErrorId, type RefusalActor } from "@gatehouse/auth";
import { findRefusal, listRefusalRows, type RefusalRow, toPage } from "@gatehouse/db";
import type { ListInput, RefusalFilter } from "@gatehouse/lists";
import type { OperationDeps } from "./deps.ts";
import { DomainError } from "./domain-error.ts";
import { positionOf } from "./page.ts";

/** An entry of the failure ledger, with the meaning of its cause and how to fix it. */
export type RefusalView = ReturnType<typeof viewOf>;

function viewOf({ clientId, applicationName, environment, ...row }: RefusalRow) {
  const { when: explanation, remedy } = ERRORS[row.cause];
  const actor: RefusalActor = actorOf(row.cause);
  return {
    ...row,
    explanation,
    actor,
    remedy,
    /** As the request named it; without an application if there is no such client. */
    client: clientId === null ? null : { clientId, applicationName, environment },
  };
}

/** A page of the failure ledger, newest first. */
export async function listRefusals({ cursor, limit, ...filter }: ListInput<RefusalFilter>, { reads }: Pick<OperationDeps, "reads">) {
  const found = await listRefusalRows(reads, filter, positionOf(cursor), limit);
  const { items, ...page } = toPage(found, limit, ({ at, errorId }) => ({ at, id: errorId }));
  return { items: items.map(viewOf), ...page };
}

/** The entry with this error id, in any spelling that a user may type. Throws `not_found`. */
export async function getRefusal(errorId: string, { handle }: Pick<OperationDeps, "handle">): Promise<RefusalView> {
  const row = (await findRefusal(handle, normaliseErrorId(errorId))) ?? (await findRefusal(handle, errorId));
  if (row) return viewOf(row);
  throw new DomainError("not_found", `The failure ledger has no entry ${normaliseErrorId(errorId)}. It keeps the newest 10,000.`);
}
