import type { Filter, Filters, FilterValues } from "@gatehouse/lists";
import { z } from "zod";
import { at, cursor, limit, line } from "./fields.ts";

type FilterSchemas<Of extends Filters> = { [Name in keyof Of]: z.ZodOptional<z.ZodType<NonNullable<FilterValues<Of>[Name]>>> };

/** The input of a list with these filters. `cursor` is the `nextCursor` of the page before. */
export function listInput<Of extends Filters>(filters: Of) {
  const schemas = Object.entries(filters).map(([name, filter]) => [name, filterSchema(filter).optional()]);
  return z.object({ cursor: cursor.nullish(), limit, ...(Object.fromEntries(schemas) as FilterSchemas<Of>) });
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
