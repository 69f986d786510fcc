import type { Filter, Filters, FilterValues } from "@gatehouse/lists";
import { z } from "zod";
import { at, cursor, limit, line } from "./fields.ts";

type FilterSchemas<Of extends Filters> = { [Name in keyof Of]: z.ZodOptional<z.ZodType<NonNullable<FilterValues<Of>[Name]>>> };

/** The input of a list with these filters. `cursor` is the `nextCursor` of the page before. */
export function listInput<Of extends Filters>(filters: Of) {
  return z.object({ cursor: cursor.nullish(), limit, ...filterSchemas(filters) });
}

/** The filters alone, for what works on all that a list finds. */
export function filterInput<Of extends Filters>(filters: Of) {
  return z.strictObject(filterSchemas(filters));
}

function filterSchemas<Of extends Filters>(filters: Of): FilterSchemas<Of> {
  const schemas = Object.entries(filters).map(([name, filter]) => [name, filterSchema(filter).optional()]);
  return Object.fromEntries(schemas) as FilterSchemas<Of>;
}

function filterSchema(filter: Filter): z.ZodType {
  if (filter.kind === "instant") return z.int().min(0);
  return filter.kind === "choice" ? z.enum(filter.values) : line.trim().max(filter.maxLength);
}

/**
 * A page of `item`; `nextCursor` is null on the last page. `searchedBackTo` is set if the search stopped before the page was full:
 * older rows were not examined, and `nextCursor` continues the search there. CO-55.
 */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable(), searchedBackTo: at.nullable() });

/** The ticket for the pages of a list that is exported, and one of those pages. CO-85. */
export const listExportTicket = z.object({ ticket: z.string().max(10_000) });
export const listExportQuery = listExportTicket.extend({ cursor: cursor.nullable() });
