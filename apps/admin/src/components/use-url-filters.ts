"use client";

import { useSearchParams } from "next/navigation";

/** Filters that live in the URL: shared, reloaded and gone back to like any page. */
export function useUrlFilters() {
  const parameters = useSearchParams();
  return {
    get: (name: string): string => parameters.get(name) ?? "",
    /** Empty values leave the URL. */
    set(changes: Record<string, string>) {
      const next = new URLSearchParams(window.location.search);
      for (const [name, value] of Object.entries(changes)) {
        if (value === "") next.delete(name);
        else next.set(name, value);
      }
      const query = next.toString();
      window.history.replaceState(null, "", query === "" ? window.location.pathname : `?${query}`);
    },
  };
}
