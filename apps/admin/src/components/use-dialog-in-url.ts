"use client";

import { useSearchParams } from "next/navigation";
import { changeQuery } from "./use-filters.ts";

/**
 * A dialog that a link can open: it is open while the URL has the parameter `name`, whose value says for what. Such a
 * link changes nothing by itself. CO-74.
 */
export function useDialogInUrl(name: string) {
  const value = useSearchParams().get(name);
  return {
    opened: value !== null,
    value,
    open: () => changeQuery({ [name]: "1" }),
    close: () => changeQuery({ [name]: undefined }),
  };
}
