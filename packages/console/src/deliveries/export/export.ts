import { writeCursor } from "@gatehouse/db/query/page";
import { auditWrite } from "../../audit/entry.ts";
import type { OperationDeps } from "../../deps.ts";
import { DomainError } from "../../domain-error.ts";
import { type ExportAuthor, openExportTicket, sealExportTicket } from "../../export-ticket.ts";
import type { DeliveryFilter } from "../../lists/lists.ts";
import { positionOf } from "../../paging.ts";
import { ABILITIES, type Author } from "../../permissions.ts";
import { type DeliveryItem, itemFor, listDeliveries } from "../deliveries.ts";
import type { Viewer } from "../detail/delivery.ts";
import { type PayloadText, payloadText } from "../detail/payload.ts";
import { headersFor } from "../detail/rights.ts";
import { findDeliveryRows } from "../queries.ts";
import { findDeliveryContents } from "./queries.ts";

const PAGE_ROWS = 100;
/** A page ends with the payload that reaches this. */
const PAGE_BYTES = 2 * 1024 * 1024;
/** More than this is never stored. */
const LARGEST_BODY = 1024 * 1024;

/** Which deliveries: those with these ids, or those that match. */
export type ExportDraft = {
  contents: boolean;
  ids?: readonly string[] | undefined;
  filter?: DeliveryFilter | undefined;
};

type StartDeps = Pick<OperationDeps, "db" | "seal" | "now" | "random">;

/**
 * Starts an export: leaves the audit row and returns the ticket for its pages, which only the same user can use, for an
 * hour. Throws `forbidden` if headers and payloads are asked for and this person may see none. CO-85.
 */
export async function startExport(
  draft: ExportDraft,
  author: ExportAuthor & Viewer,
  deps: StartDeps,
): Promise<{ ticket: string }> {
  if (draft.contents) assertMayExportContents(author);
  const { ids, filter, contents } = draft;
  const entry = {
    action: "webhook.export" as const,
    object: "deliveries",
    objectName: "Deliveries",
    environment: filter?.environment ?? null,
    detail: { ...(ids ? { selected: ids.length } : { filter: filter ?? {} }), contents },
  };
  await deps.db.transaction([auditWrite(author, entry, deps)]);
  return { ticket: await sealExportTicket("delivery export", draft, author, deps) };
}

/** A delivery as exported. */
export type ExportedDelivery = Omit<DeliveryItem, "receivedAt"> & {
  /** ISO 8601, UTC. */
  receivedAt: string;
  /** Null if the caller may not see those of this environment. */
  headers?: Record<string, string> | null;
  /** Null as for headers, or if retention deleted it. */
  payload?: PayloadText | null;
};

type PageDeps = Pick<OperationDeps, "reads" | "seal" | "now">;
type ExportPage<Item> = { items: Item[]; nextCursor: string | null };

/**
 * One page of an export, newest first. `cursor` is the `nextCursor` of the page before. Throws `forbidden`,
 * `not_found`.
 */
export async function exportPage(
  { ticket: sealed, cursor }: { ticket: string; cursor: string | null },
  viewer: Author & Viewer,
  deps: PageDeps,
): Promise<ExportPage<ExportedDelivery>> {
  const { contents, ids, filter } = openExportTicket<ExportDraft>("delivery export", sealed, viewer, deps);
  const page = ids
    ? await selectedPage(ids, cursor, viewer, deps)
    : await listDeliveries({ ...filter, cursor, limit: PAGE_ROWS }, viewer, deps);
  if (!contents) return { items: page.items.map(dated), nextCursor: page.nextCursor };
  assertMayExportContents(viewer);
  return withContents(page, viewer, deps);
}

function assertMayExportContents({ role, scopes }: Viewer): void {
  if (ABILITIES[role].manageDevelopment && scopes.includes("webhooks:reveal")) return;
  throw new DomainError("forbidden", "Your role cannot export payloads. Export without them, or ask an admin.");
}

/** A page of selected deliveries. */
async function selectedPage(
  selected: readonly string[],
  cursor: string | null,
  viewer: Viewer,
  { reads }: PageDeps,
): Promise<ExportPage<DeliveryItem>> {
  const position = positionOf(cursor);
  const left = selected
    .filter((id) => position === undefined || id < position.id)
    .sort()
    .reverse();
  const rows = await findDeliveryRows(reads, left.slice(0, PAGE_ROWS));
  const items = rows.map((row) => itemFor(viewer, row));
  return { items, nextCursor: left.length > PAGE_ROWS ? cursorAfter(items) : null };
}

const cursorAfter = (items: readonly DeliveryItem[]) => {
  const last = items.at(-1);
  return last ? writeCursor({ at: last.receivedAt, id: last.id }) : null;
};

const dated = ({ receivedAt, ...item }: DeliveryItem): ExportedDelivery => ({
  ...item,
  receivedAt: new Date(receivedAt * 1000).toISOString().replace(".000", ""),
});

/** Adds headers and payloads, and ends the page early if they are large. */
async function withContents(
  page: ExportPage<DeliveryItem>,
  viewer: Viewer,
  { reads }: PageDeps,
): Promise<ExportPage<ExportedDelivery>> {
  const items = page.items.slice(0, rowsOfPage(page.items));
  const production = ABILITIES[viewer.role].manageProduction;
  const readable = items.filter(({ environment }) => production || environment !== "production").map(({ id }) => id);
  const contents = await findDeliveryContents(reads, readable);
  return {
    items: items.map((item) => {
      const { headers, body } = contents.get(item.id) ?? { headers: null, body: null };
      return { ...dated(item), headers: headers && headersFor(viewer, headers), payload: body && payloadText(body) };
    }),
    nextCursor: items.length < page.items.length ? cursorAfter(items) : page.nextCursor,
  };
}

/** How many rows fit into {@link PAGE_BYTES}; at least one. */
function rowsOfPage(items: readonly DeliveryItem[]): number {
  let bytes = 0;
  const tooMany = items.findIndex(({ bodyBytes }) => {
    bytes += Math.min(bodyBytes ?? 0, LARGEST_BODY);
    return bytes > PAGE_BYTES;
  });
  return tooMany === -1 ? items.length : Math.max(1, tooMany);
}
