"use client";

import { useDebouncedCallback } from "@mantine/hooks";
import { useState } from "react";

const SEND_AFTER_MS = 250;

/** Text that is applied a moment after the last key, and follows its filter when that changes otherwise: by the navigation, the back button, "Clear". */
export function useTypedFilter(value: string, apply: (text: string) => void) {
  const [text, setText] = useState(value);
  const [shown, setShown] = useState(value);
  const [sent, setSent] = useState(value);
  if (shown !== value) {
    setShown(value);
    // What we sent ourselves arrives while somebody is typing on: it must not take their last keys away.
    if (value !== sent) {
      setSent(value);
      setText(value);
    }
  }
  const send = useDebouncedCallback((typed: string) => {
    setSent(typed);
    apply(typed);
  }, SEND_AFTER_MS);
  return {
    text,
    type(typed: string) {
      setText(typed);
      send(typed.trim());
    },
  };
}
