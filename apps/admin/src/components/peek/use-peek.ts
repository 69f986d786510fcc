"use client";

import { useRouter, useSearchParams } from "next/navigation";
import { useEffect, useEffectEvent } from "react";
import { isTyping, useShortcutsOn } from "@/components/keys/shortcuts.ts";
import { changeQuery } from "@/components/use-filters.ts";

/** Wide enough for the list and a panel beside it. */
export const ROOM_FOR_PEEK = "(min-width: 75em)";

const linkOf = (id: string) => document.querySelector<HTMLElement>(`[data-row-link="${CSS.escape(id)}"]`);

/**
 * Opens rows of a list: in the panel beside it (`?peek=<id>`) or, in a narrow window, on their page. While it is open,
 * J and K walk through `ids`, and Escape closes it.
 */
export function usePeek(ids: readonly string[], hrefOf: (id: string) => string) {
  const router = useRouter();
  const openId = useSearchParams().get("peek");
  const [shortcutsOn] = useShortcutsOn();
  const at = openId === null ? -1 : ids.indexOf(openId);
  const previousId = ids[at - 1];
  const nextId = at === -1 ? undefined : ids[at + 1];

  function open(id: string): void {
    if (window.matchMedia(ROOM_FOR_PEEK).matches)
      changeQuery({ peek: id }, { push: openId === null }); // Back closes the panel, however many rows were looked at
    else router.push(hrefOf(id));
  }

  function close(): void {
    changeQuery({ peek: "", tab: "" });
    if (openId !== null) linkOf(openId)?.focus({ preventScroll: true });
  }

  function walk(step: 1 | -1): void {
    const id = ids[at + step];
    if (at === -1 || id === undefined) return;
    changeQuery({ peek: id });
    linkOf(id)?.scrollIntoView({ block: "nearest" });
  }

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (openId === null || event.defaultPrevented || isTyping(event.target)) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "j" && shortcutsOn) walk(1);
    else if (event.key === "k" && shortcutsOn) walk(-1);
    else if (event.key === "Escape") close();
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
