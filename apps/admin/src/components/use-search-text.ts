"use client";

import { useDebouncedCallback, useWindowEvent } from "@mantine/hooks";
import { useState } from "react";

const DEBOUNCE_MS = 250;

/** Dispatched on `window` when a navigation begins. */
export const NAVIGATION_START = "gatehouse:navigation-start";

/**
 * The text of a search field whose applied `value` lives in the URL. Calls `apply` once the user stops typing, and
 * follows `value` when something else changes it: a link, the back button, "Clear filters".
 */
export function useSearchText(value: string, apply: (text: string) => void) {
  const [text, setText] = useState(value);
  const [shown, setShown] = useState(value);
  const [applied, setApplied] = useState(value);
  if (shown !== value) {
    setShown(value);
    // Our own update arrives while the user may still be typing: it must not overwrite newer keystrokes.
    if (value !== applied) {
      setApplied(value);
      setText(value);
    }
  }
  const debouncedApply = useDebouncedCallback((typed: string) => {
    setApplied(typed);
    apply(typed);
  }, DEBOUNCE_MS);
  // An update of the URL during a navigation would cancel the navigation.
  useWindowEvent(NAVIGATION_START, () => {
    debouncedApply.cancel();
    setText(value);
  });
  return {
    text,
    type(typed: string) {
      setText(typed);
      debouncedApply(typed.trim());
    },
  };
}
