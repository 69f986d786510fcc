"use client";

import { Text } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { flushSync } from "react-dom";

/**
 * A secret in an open dialog: gone once the page is left, so that Back doesn't bring it back from the browser's cache.
 * CO-91.
 */
export function UntilPageHides({ children }: { children: ReactNode }) {
  const [left, setLeft] = useState(false);
  useEffect(() => {
    // Nothing that is only scheduled runs before the browser freezes the page.
    const clear = () => flushSync(() => setLeft(true));
    window.addEventListener("pagehide", clear);
    return () => window.removeEventListener("pagehide", clear);
  }, []);
  if (!left) return children;
  return (
    <Text size="sm" c="dimmed">
      No longer shown, because you left this page.
    </Text>
  );
}
