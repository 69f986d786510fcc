"use client";

import { forgetUnsaved } from "../unsaved.tsx";

/**
 * Another person has signed in with this browser: shows them the page as theirs. What was typed is dropped, since it is
 * not theirs.
 */
export function reloadForOtherUser(): void {
  forgetUnsaved();
  window.location.reload();
}
