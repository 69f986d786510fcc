"use client";

import { useSyncExternalStore } from "react";

/** `session`: the session has ended. `fresh`: the sign-in is too long ago for what the user wants to do. */
export type SignInNeed = "session" | "fresh";

/** What the dialog asks for. `dismissed`: the session has ended, and the user has closed the dialog. */
type State = { asking: SignInNeed | null; dismissed: boolean };

let state: State = { asking: null, dismissed: false };
let waiting: ((signedIn: boolean) => void)[] = [];
const listeners = new Set<() => void>();

function change(next: State): void {
  state = next;
  for (const listener of listeners) listener();
}

/**
 * Asks the user to sign in in another tab. Resolves to true once they have, and to false when they close the dialog.
 * Callers that ask at the same time share one dialog. With `quietly`, a user who has closed it is not asked again.
 * CO-87.
 */
export function signInAgain(need: SignInNeed, { quietly = false } = {}): Promise<boolean> {
  if (quietly && state.dismissed) return Promise.resolve(false);
  change({ ...state, asking: state.asking === "session" ? "session" : need });
  return new Promise((resolve) => waiting.push(resolve));
}

/** The user has signed in. */
export function signInDone(): void {
  settle(true, { asking: null, dismissed: false });
}

/** The user has closed the dialog. */
export function signInDismissed(): void {
  settle(false, { asking: null, dismissed: state.dismissed || state.asking === "session" });
}

function settle(signedIn: boolean, next: State): void {
  const settled = waiting;
  waiting = [];
  change(next);
  for (const resolve of settled) resolve(signedIn);
}

const INITIAL = state;

/** What the dialog shows now. */
export function useSignInState(): State {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
    () => INITIAL,
  );
}
