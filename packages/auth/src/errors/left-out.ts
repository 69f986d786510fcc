import { setBounded } from "@gatehouse/guard";
import type { Caller, Deps } from "../deps.ts";
import type { Store } from "../store/store.ts";
import { OAuthError } from "./error.ts";
import { type RefusedAt, recordNote } from "./refuse.ts";

/** One client sends the same names with every request, so a process notes them this often. */
const AGAIN_AFTER_SECONDS = 3600;
const MOST_REMEMBERED = 1000;
const NAMES_LENGTH = 300;

const notedAt = new WeakMap<Store, Map<string, number>>();

/**
 * Notes in the failure ledger that a request went on without some of the scopes that it names. Once an hour for each
 * client and list of names, but each time in a test run, which has a store of its own. Never throws. AZ-16.
 */
export async function noteLeftOut(
  { leftOut, scope }: { leftOut: readonly string[]; scope: string },
  at: RefusedAt,
  deps: Pick<Deps, "store" | "now" | "random" | "onError">,
  caller: Caller,
): Promise<void> {
  if (leftOut.length === 0) return;
  const names = leftOut.join(" ").slice(0, NAMES_LENGTH);
  const noted = notedAt.get(deps.store) ?? new Map<string, number>();
  notedAt.set(deps.store, noted);
  const key = `${at.clientId} ${names}`;
  const last = noted.get(key);
  if (last !== undefined && deps.now() - last < AGAIN_AFTER_SECONDS) return;
  setBounded(noted, key, deps.now(), MOST_REMEMBERED);
  const message =
    "the request went on without the scopes that are not defined here, or not for the resource that it names";
  const detail = { leftOut: names, granted: scope.slice(0, NAMES_LENGTH) };
  await recordNote(new OAuthError("invalid_scope", "scope_left_out", message, { detail }), at, deps, caller);
}
