import type { Environment } from "@gatehouse/auth";
import type { OperationDeps } from "../deps.ts";
import type { ManagedRow } from "../managed/queries.ts";
import type { Author } from "../permissions.ts";
import { type Entry, snakeCased } from "./export/entry.ts";

/** For whom which file is applied, and where it takes its variables from. */
export type Applier = {
  /** `file`: its name, without folders. Objects carry it, and audit rows name it. CO-73. */
  author: Author & { file: string };
  /** The value of an environment variable that the file names; empty when it is not set. */
  variable: (name: string) => string;
  /** Tells the person about something that is allowed and unwise, such as a short password. */
  tell?: (notice: string) => void;
};

export const OBJECT_KINDS = [
  "resource",
  "user",
  "application",
  "client",
  "webhook_endpoint",
  "sign_in_provider",
] as const;
export type ObjectKind = (typeof OBJECT_KINDS)[number];

/** One field that differs, by its name in the file. Secrets are never values: `after` says what happens to them. */
export type FieldChange = { field: string; before: unknown; after: unknown };

/** What applying a file does to one object. CO-72. */
export type Change = {
  kind: ObjectKind;
  /** What the file calls it: an id, an address, or names like "Shop / Web". */
  name: string;
  environment?: Environment;
  action: "create" | "update" | "keep";
  fields: FieldChange[];
  /**
   * Of a client that is, or would be, first-party or a resource server, or that may request scopes of accounts or the
   * console.
   */
  trusted?: boolean;
  /**
   * Of a trusted client that does nothing but sign users in to a web app: the origins of all its addresses, as they are and
   * as the file states them. PK-22.
   */
  origins?: readonly string[];
};

/**
 * For each of these objects what has to change to make it what its file states; undefined for one that is gone. CO-73.
 */
export type LiveChanges = (rows: readonly ManagedRow[], deps: OperationDeps) => Promise<(Change | undefined)[]>;

/**
 * The change from the stored values to those of the file; `undefined` if nothing is stored. Fields that the file leaves
 * out stay.
 */
export function changeOf(
  object: Pick<Change, "kind" | "name" | "environment">,
  stored: Entry | undefined,
  wanted: Entry,
  secrets: FieldChange[] = [],
): Change {
  const given = Object.entries(snakeCased(wanted)).filter(([, value]) => value !== undefined);
  const before = snakeCased(stored ?? {});
  const differing = given.filter(([field, value]) => !sameSetting(value, before[field]));
  const fields = [...differing.map(([field, after]) => ({ field, before: before[field] ?? null, after })), ...secrets];
  return { ...object, action: stored === undefined ? "create" : fields.length > 0 ? "update" : "keep", fields };
}

/** Whether anything differs besides the fields that have operations of their own. */
export function differsIn({ fields }: Change, { except }: { except: readonly string[] }): boolean {
  return fields.some(({ field }) => !except.includes(field));
}

export type Status = "created" | "updated" | "unchanged";
const STATUSES = { create: "created", update: "updated", keep: "unchanged" } as const;
/** The status that `apply` prints for an object. */
export const statusOf = ({ action }: Change): Status => STATUSES[action];

/** Compares lists as sets, and objects whatever the order of their members: databases reorder both. */
function sameSetting(a: unknown, b: unknown): boolean {
  return canonicalText(a) === canonicalText(b);
}

/** The same text for values that {@link sameSetting}. */
export function canonicalText(value: unknown): string {
  if (value === undefined) return "null";
  if (Array.isArray(value)) return `[${value.map(canonicalText).sort().join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${canonicalText(member)}`);
  return `{${members.sort().join(",")}}`;
}
