import type { Refusal } from "@gatehouse/auth";
import { everyColumn, type Handle, prepared } from "../handle.ts";

const TEXT_LIMIT = 1000;
const cut = (text: string) => (text.length > TEXT_LIMIT ? `${text.slice(0, TEXT_LIMIT)}…` : text);
const cutOrNull = (text: string | null) => (text === null ? null : cut(text));

const INSERT = ({ db, tables: { refusals } }: Handle) => db.insert(refusals).values(everyColumn(refusals)).onConflictDoNothing();

/** Writes one row of the ledger; what a stranger sent is cut to a bounded size. */
export async function insertRefusal(handle: Handle, refusal: Refusal): Promise<void> {
  await prepared(handle, "insert_refusal", INSERT).execute({
    ...refusal,
    endpoint: cut(refusal.endpoint),
    message: cut(refusal.message),
    detail: Object.fromEntries(Object.entries(refusal.detail).map(([key, value]) => [key, typeof value === "string" ? cut(value) : value])),
    clientId: cutOrNull(refusal.clientId),
    address: cutOrNull(refusal.address),
  });
}
