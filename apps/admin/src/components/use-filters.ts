"use client";

import { type Filters, type FilterValues, readFilters } from "@gatehouse/lists";
import { useSearchParams } from "next/navigation";

/** The values of `filters`, stored in the URL so that links, reloads and the back button keep them. */
export function useFilters<Of extends Filters>(filters: Of) {
  const parameters = useSearchParams();
  const values = readFilters(filters, (name) => parameters.get(name));

  /** Replaces the URL without adding a history entry. An empty value removes its filter. */
  function set(changes: { [Name in keyof Of]?: FilterValues<Of>[Name] | "" }): void {
    const next = new URLSearchParams(window.location.search);
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined || value === "") next.delete(name);
      else next.set(name, String(value));
    }
    const query = next.toString();
    window.history.replaceState(null, "", query === "" ? window.location.pathname : `?${query}`);
  }

  return {
    values,
    set,
    isSet: Object.keys(values).length > 0,
    clear: () => set(Object.fromEntries(Object.keys(filters).map((name) => [name, ""])) as Parameters<typeof set>[0]),
  };
}
