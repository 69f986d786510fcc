import { type Position, readCursor } from "@gatehouse/db/query/page";
import { z } from "zod";
import { invalid } from "./domain-error.ts";
import { at, cursor, limit, line } from "./fields.ts";
import type { Filter, Filters, FilterValues } from "./lists/filter.ts";

type FilterSchemas<Of extends Filters> = {
  [Name in keyof Of]: z.ZodOptional<z.ZodType<NonNullable<FilterValues<Of>[Name]>>>;
};

/** The input of a list with these filters and `more`. `cursor` is the `nextCursor` of the page before. */
export function listInput<Of extends Filters, More extends z.ZodRawShape = Record<never, never>>(
  filters: Of,
  more?: More,
) {
  return pagedInput({ cursor: cursor.nullish(), limit, ...filterSchemas(filters), ...(more as More) });
}

/**
 * The input of a query that answers in pages. The infinite queries of tRPC's clients also send a `direction`, which
 * handlers do not get.
 */
export function pagedInput<Shape extends z.ZodRawShape>(shape: Shape) {
  const sent = z.strictObject({ ...shape, direction: z.literal("forward").optional() });
  return sent.transform((input) => {
    const { direction: _, ...rest } = input as { direction?: "forward" };
    return rest as z.output<z.ZodObject<Shape, z.core.$strict>>;
  });
}

/** The position that a cursor encodes. Throws `invalid` for a cursor that we did not create. */
export function positionOf(cursor: string | null | undefined): Position | undefined {
  if (cursor === null || cursor === undefined) return undefined;
  const position = readCursor(cursor);
  if (!position)
    throw invalid([{ path: "cursor", message: "must be the nextCursor of the previous page, or left out" }]);
  return position;
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
 * A page of `item`; `nextCursor` is null on the last page. `searchedBackTo` is set if the search stopped before the
 * page was full: older rows were not examined, and `nextCursor` continues the search there. CO-55.
 */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable(), searchedBackTo: at.nullable() });

/** The ticket for the pages of a list that is exported, and one of those pages. CO-85. */
export const listExportTicket = z.strictObject({ ticket: z.string().max(10_000) });
export const listExportQuery = listExportTicket.extend({ cursor: cursor.nullable() });
