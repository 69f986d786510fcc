"use client";

import { useStored } from "../use-stored.ts";

/** The letter that opens a page after `G`, by its URL. */
export const PAGE_KEYS: Readonly<Record<string, string>> = {
  "/": "o",
  "/applications": "a",
  "/self-registered": "s",
  "/resources": "r",
  "/failures": "f",
  "/deliveries": "d",
  "/audit": "l",
  "/mail": "m",
  "/users": "u",
  "/webhooks": "w",
  "/sign-in-providers": "p",
  "/keys": "k",
  "/settings/general": "t",
};

/** What each key does, as the help says it. */
export const SHORTCUTS: readonly { keys: readonly string[]; does: string }[] = [
  { keys: ["Mod+K"], does: "Search pages, objects and actions" },
  { keys: ["?"], does: "Show these keys" },
  { keys: ["/"], does: "Search or filter the list" },
  { keys: ["J", "K"], does: "Next and previous row" },
  { keys: ["Enter"], does: "Open the row" },
  { keys: ["X"], does: "Select the row" },
  { keys: ["E"], does: "Edit" },
  { keys: ["Mod+Enter"], does: "Save the form" },
];

const isSwitch = (value: unknown): value is boolean => typeof value === "boolean";

/** Whether single keys do something, and the function that switches them. WCAG 2.1.4. */
export const useShortcutsOn = (): [boolean, (on: boolean) => void] => useStored("gatehouse:shortcuts", true, isSwitch);

/** True if letters belong to the focused field, or every key to an open dialog or menu. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest("input:not([type=checkbox]), textarea, select, [contenteditable], [role=dialog], [role=menu]") !==
      null
  );
}
