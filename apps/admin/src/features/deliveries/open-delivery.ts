"use client";

import { useRouter, useSearchParams } from "next/navigation";
import { useEffect, useEffectEvent } from "react";
import { changeQuery } from "@/components/use-filters.ts";
import { rowLinkId } from "./delivery-table.tsx";

/** Wide enough for the list and a panel beside it. */
export const ROOM_FOR_PEEK = "(min-width: 75em)";

/**
 * Opens deliveries: in the panel beside the list (`?peek=<id>`) or, in a narrow window, on their page. J and K walk through `ids`,
 * Enter opens, Escape closes.
 */
export function useOpenDelivery(ids: readonly string[]) {
  const router = useRouter();
  const openId = useSearchParams().get("peek");
  const at = openId === null ? -1 : ids.indexOf(openId);
  const previousId = ids[at - 1];
  const nextId = at === -1 ? undefined : ids[at + 1];

  function open(id: string): void {
    if (window.matchMedia(ROOM_FOR_PEEK).matches)
      changeQuery({ peek: id }, { push: openId === null }); // Back closes the panel, however many deliveries were looked at
    else router.push(`/deliveries/${id}`);
  }

  function close(): void {
    changeQuery({ peek: "", tab: "" });
    if (openId !== null) document.getElementById(rowLinkId(openId))?.focus({ preventScroll: true });
  }

  function walk(step: 1 | -1): void {
    if (openId !== null) {
      const id = ids[at + step];
      if (at === -1 || id === undefined) return;
      changeQuery({ peek: id });
      document.getElementById(rowLinkId(id))?.scrollIntoView({ block: "nearest" });
      return;
    }
    const focused = ids.findIndex((id) => document.activeElement?.id === rowLinkId(id));
    const id = ids[focused === -1 ? 0 : focused + step];
    if (id !== undefined) document.getElementById(rowLinkId(id))?.focus();
  }

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
    if (event.key === "j") walk(1);
    else if (event.key === "k") walk(-1);
    else if (event.key === "Escape" && openId !== null) close();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);

  return {
    openId,
    open,
    close,
    previous: previousId === undefined ? undefined : () => walk(-1),
    next: nextId === undefined ? undefined : () => walk(1),
  };
}

/** Letters belong to the field that has the focus, and every key to an open dialog or menu. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest("input:not([type=checkbox]), textarea, select, [contenteditable], [role=dialog], [role=menu]") !== null
  );
}
