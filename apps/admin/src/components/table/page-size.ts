"use client";

import { pageSizeFrom } from "@gatehouse/console/lists/page-size";
import { useSearchParams } from "next/navigation";

export { PAGE_SIZES } from "@gatehouse/console/lists/page-size";

/** How many rows the list loads at a time: `?limit=`. */
export function usePageSize(): number {
  return pageSizeFrom(useSearchParams().get("limit"));
}
