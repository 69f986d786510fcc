import { z } from "zod";
import { at, cursor, environment, line } from "../fields.ts";
import { AUDIT_FILTERS } from "../lists/lists.ts";
import { filterInput, pagedInput } from "../paging.ts";
import { MOST_FINDINGS } from "./findings.ts";

/** A row of the audit log. `detail.changes` has the fields that a change set, with their values before and after. */
export const auditEntry = z.object({
  id: z.string(),
  /** Null until the row is sealed, about a second after it was written. */
  number: z.int().nullable(),
  mac: z.string().nullable(),
  at,
  actorId: z.string(),
  actorName: z.string(),
  role: z.string(),
  via: z.enum(["console", "cli", "api", "api_token", "server"]),
  action: z.string(),
  object: z.string(),
  objectName: z.string().nullable(),
  environment: environment.nullable(),
  detail: z.record(z.string(), z.unknown()),
  address: z.string().nullable(),
  userAgent: z.string().nullable(),
  requestId: z.string().nullable(),
});

const number = z.int().min(1).max(Number.MAX_SAFE_INTEGER);
export const auditKey = z.union([z.strictObject({ number }), z.strictObject({ id: line.min(1).max(64) })]);

export const auditHistoryQuery = pagedInput({
  /** Ids of the objects: an application with its clients, for example. */
  objects: z.array(line.min(1).max(2_048)).min(1).max(61),
  cursor: cursor.nullish(),
  limit: z.int().min(1).max(100).default(30),
});

const mac = z.string().min(1).max(64);
/** The number and MAC of a row, as the server's log and exports note it. */
const auditHead = z.strictObject({ number, mac });
const auditFindings = z.strictObject({
  segments: z.array(number).max(MOST_FINDINGS),
  sealedLate: z.array(z.strictObject({ from: number, to: number, sealedAt: at })).max(MOST_FINDINGS),
  movedBack: number.nullable(),
});
const verifyCursor = z.strictObject({
  next: number,
  hash: z.string().max(64),
  keyId: z.string().max(64).nullable(),
  findings: auditFindings,
});
export const auditVerifyQuery = z.strictObject({ cursor: verifyCursor.nullish(), noted: auditHead.optional() });
export const auditVerification = z.object({
  state: z.enum(["intact", "broken", "moved_back", "more"]),
  broken: z.object({ number: z.int(), problem: z.string() }).nullable(),
  findings: auditFindings,
  through: z.int(),
  head: z.object({ number: z.int(), mac: z.string() }).nullable(),
  cursor: verifyCursor.nullable(),
});

export const auditExportDraft = z.strictObject({ filter: filterInput(AUDIT_FILTERS).default({}) });
