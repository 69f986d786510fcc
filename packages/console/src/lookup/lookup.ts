import { normaliseEmail } from "@gatehouse/accounts";
import { type Environment, normaliseErrorId } from "@gatehouse/auth";
import { findUser, findUserByEmail } from "@gatehouse/db/stores/accounts/users";
import { listSigningKeys } from "@gatehouse/db/stores/auth/signing-keys";
import { findApplication } from "../applications/queries.ts";
import { findAuditRow } from "../audit/queries.ts";
import { findClientRow } from "../clients/queries.ts";
import { findDeliveryRows, listDeliveryRows } from "../deliveries/queries.ts";
import type { OperationDeps } from "../deps.ts";
import { findRefusal } from "../failures/queries.ts";
import { findSignIn } from "../sign-ins/queries.ts";

type Part = Pick<OperationDeps, "reads">;

/** An event whose key is not its id has no index: it is looked for among so many deliveries. */
const NEWEST_DELIVERIES = 2_000;

/** Something that a pasted text names, with a name for people to recognise it by. */
export type LookupMatch =
  | {
      kind: "failure" | "sign_in" | "self_registered" | "application" | "delivery" | "event" | "user" | "key" | "audit";
      id: string;
      name: string;
    }
  | { kind: "client"; id: string; name: string; applicationId: string; clientName: string; environment: Environment };

/**
 * Everything that `text` names exactly: an error id (in any spelling), client, application, delivery, event or user id,
 * an email address, the id of a signing key, or the number of a row of the audit log. Each is looked up by an index,
 * and an event without one among the newest deliveries. Empty if there is nothing. CO-04.
 */
export async function lookUp(text: string, deps: Part): Promise<LookupMatch[]> {
  const found = await Promise.all(
    [failure, signIn, client, application, delivery, event, user, key, auditRow].map((find) => find(text, deps)),
  );
  return found.filter((match) => match !== undefined);
}

type Find = (text: string, deps: Part) => Promise<LookupMatch | undefined>;

const failure: Find = async (text, { reads }) => {
  const row = (await findRefusal(reads, normaliseErrorId(text))) ?? (await findRefusal(reads, text));
  return row && { kind: "failure", id: row.errorId, name: row.message };
};

const signIn: Find = async (text, { reads }) => {
  const row = await findSignIn(reads, text);
  return row && { kind: "sign_in", id: row.id, name: row.userEmail ?? row.cause ?? row.outcome };
};

const client: Find = async (text, { reads }) => {
  const row = await findClientRow(reads, text);
  if (!row) return undefined;
  const { id, applicationId, applicationName, name: clientName, environment } = row;
  if (row.origin !== "registered") return { kind: "self_registered", id, name: applicationName };
  return { kind: "client", id, name: applicationName, applicationId, clientName, environment };
};

const application: Find = async (text, { reads }) => {
  const row = await findApplication(reads, text);
  return row && { kind: "application", id: row.id, name: row.name };
};

const delivery: Find = async (text, { reads }) => {
  const [row] = await findDeliveryRows(reads, [text]);
  return row && { kind: "delivery", id: row.id, name: row.eventType ?? row.endpoint };
};

const event: Find = async (text, { reads }) => {
  const { rows } = await listDeliveryRows(reads, { eventId: text }, { limit: 1, maxRows: NEWEST_DELIVERIES });
  return rows[0] && { kind: "event", id: text, name: rows[0].eventType ?? rows[0].endpoint };
};

const user: Find = async (text, { reads }) => {
  const email = normaliseEmail(text);
  const row = email === undefined ? await findUser(reads, text) : await findUserByEmail(reads, email);
  return row && { kind: "user", id: row.id, name: row.name };
};

const key: Find = async (text, { reads }) => {
  const row = (await listSigningKeys(reads)).find(({ kid }) => kid === text);
  return row && { kind: "key", id: row.kid, name: row.algorithm };
};

const auditRow: Find = async (text, { reads }) => {
  if (!/^[1-9]\d{0,14}$/.test(text)) return undefined;
  const row = await findAuditRow(reads, { number: Number(text) });
  return row && { kind: "audit", id: text, name: row.objectName ?? row.action };
};
