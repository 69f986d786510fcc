import type { Filter, Filters, FilterValues } from "./filter.ts";

/**
 * The filters that a URL's query holds. `get` returns the parameter with this name: `URLSearchParams.get`, or a lookup
 * in Next's `searchParams`. What is not valid is left out rather than rejected, so that a bad link still opens the
 * list; text is cut to the length that the procedure accepts. Absent filters are absent, not `undefined`: query keys
 * are compared as they are.
 */
export function readFilters<Of extends Filters>(
  filters: Of,
  get: (name: keyof Of & string) => string | null | undefined,
): FilterValues<Of> {
  const entries = Object.entries(filters).flatMap(([name, filter]) => {
    const value = read(filter, get(name) ?? "");
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(entries) as FilterValues<Of>;
}

function read(filter: Filter, given: string): string | number | undefined {
  if (filter.kind === "instant") return /^\d{1,10}$/.test(given) ? Number(given) : undefined;
  if (filter.kind === "choice") return filter.values.find((value) => value === given);
  const clean = given.replace(/[\p{Cc}\p{Cs}]/gu, "").trim();
  return clean.slice(0, filter.maxLength).replace(/\p{Cs}$/u, "") || undefined; // not half a character
}
