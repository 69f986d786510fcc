"use client";

import type { Filters, FilterValues } from "@gatehouse/console/lists/filter";
import { readFilters } from "@gatehouse/console/lists/read-filters";
import { useSearchParams } from "next/navigation";

/**
 * Changes parameters of the page's URL; an empty value removes its parameter. Other filters or another order start at
 * the first page, so `cursor` goes. `push` adds a history entry, so that Back undoes the change. CO-03.
 */
export function changeQuery(changes: Record<string, string | number | undefined>, { push = false } = {}): void {
  const next = new URLSearchParams(window.location.search);
  if (!keepsPlace(Object.keys(changes), next)) next.delete("cursor");
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === "") next.delete(name);
    else next.set(name, String(value));
  }
  const query = next.toString();
  const url = query === "" ? window.location.pathname : `?${query}`;
  if (push) window.history.pushState(null, "", url);
  else window.history.replaceState(null, "", url);
}

/** Whether the list stays as it is: for its own cursor, and for what opens beside it, whose tab is `tab`. */
function keepsPlace(names: readonly string[], now: URLSearchParams): boolean {
  return names.every(
    (name) => ["cursor", "dialog", "peek", "rerun"].includes(name) || (name === "tab" && now.has("peek")),
  );
}

/**
 * The values of `filters`, stored in the URL so that links, reloads and the back button keep them. `start` has those of
 * filters that the URL does not name.
 */
export function useFilters<Of extends Filters>(
  filters: Of,
  start: Partial<Record<keyof Of & string, string | undefined>> = {},
) {
  const parameters = useSearchParams();
  const values = readFilters(filters, (name) => parameters.get(name) ?? start[name]);

  /** An empty value removes its filter. */
  function set(changes: { [Name in keyof Of]?: FilterValues<Of>[Name] | "" }, options?: { push: boolean }): void {
    changeQuery(changes as Record<string, string | number | undefined>, options);
  }

  return {
    values,
    set,
    /** Whether the URL has one of the filters. */
    isSet: Object.keys(values).some((name) => parameters.has(name)),
    clear: () => set(Object.fromEntries(Object.keys(filters).map((name) => [name, ""])) as Parameters<typeof set>[0]),
  };
}
