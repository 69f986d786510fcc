"use client";

import { useFreshUntil } from "./me.tsx";
import { signInAgain } from "./session/sign-in-again.ts";

const TIME_FOR_A_FORM_MS = 120_000;

/**
 * Returns a function that runs an action which needs a fresh sign-in, after asking for the sign-in if the last one is
 * too long ago. RFC 9470, CO-88.
 */
export function useConfirmed(): (action: () => void) => void {
  const freshUntil = useFreshUntil();
  return (action) => {
    if (Date.now() + TIME_FOR_A_FORM_MS < freshUntil) action();
    else void signInAgain("fresh").then((signedIn) => signedIn && action());
  };
}
