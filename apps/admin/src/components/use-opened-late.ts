"use client";

import { useEffect, useState } from "react";

/**
 * `opened`, but false on the first render: a dialog that is mounted open would not know which element to give the focus
 * back to.
 */
export function useOpenedLate(opened: boolean): boolean {
  const [shown, setShown] = useState(false);
  useEffect(() => setShown(opened), [opened]);
  return shown;
}
