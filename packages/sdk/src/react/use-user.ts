import { useSyncExternalStore } from "react";
import { LOADING, storeOf, type UserState } from "./store.ts";

export type { UserState };

/** `path`: where the handlers are, with the base path of the app. Default `/auth`. */
export type WithPath = { path?: string | undefined };

/**
 * Who is signed in, by the session handler of this app: never a token. `loading` while the server renders and until the
 * first answer. It follows sign-ins and sign-outs of other tabs, and asks again when the page gets the focus. PK-55.
 */
export function useUser({ path = "/auth" }: WithPath = {}): UserState {
  const { subscribe, current } = storeOf(path);
  return useSyncExternalStore(subscribe, current, () => LOADING);
}
