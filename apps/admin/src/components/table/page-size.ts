"use client";

import { pageSizeFrom } from "@gatehouse/lists";
import { useSearchParams } from "next/navigation";

export { PAGE_SIZES } from "@gatehouse/lists";

/** How many rows the list loads at a time: `?limit=`. */
export function usePageSize(): number {
  return pageSizeFrom(useSearchParams().get("limit"));
}
