"use client";

import { useSearchParams } from "next/navigation";
import { useEffect, useEffectEvent } from "react";
import { changeQuery } from "./use-filters.ts";

/** The path with what opens this dialog of its page. */
export const dialogHref = (path: string, dialog: string) => `${path}?dialog=${dialog}`;

/**
 * Calls `open` when a link leads to the page with `?dialog=` and this name, and takes that out of the URL. Such a link
 * opens a dialog, and changes nothing by itself. CO-74, CO-75.
 */
export function useOpenedByLink(dialog: string, open: () => void): void {
  const asked = useSearchParams().get("dialog") === dialog;
  const answer = useEffectEvent(() => {
    changeQuery({ dialog: undefined });
    open();
  });
  useEffect(() => {
    if (asked) answer();
  }, [asked]);
}
