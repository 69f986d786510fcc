"use client";

import { useEffect } from "react";
import { announceSignIn, type SignedIn } from "./channel.ts";

/** Reports the sign-in to the tabs that wait for it and closes this tab, where the browser allows that. */
export function ReportSignIn({ userId, freshForSeconds }: SignedIn) {
  useEffect(() => {
    announceSignIn({ userId, freshForSeconds });
    window.close();
  }, [userId, freshForSeconds]);
  return null;
}
