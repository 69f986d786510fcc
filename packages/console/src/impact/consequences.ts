import { type GrantType, lifetimesOf } from "@gatehouse/auth";
import type { ClientRow } from "../clients/queries.ts";
import type { LastSecret } from "../clients/view.ts";

/** A change that takes something away from a client. */
export type ClientChange =
  | { kind: "disable" | "remove" | "lifetimes" }
  | { kind: "retire_secret"; secretId: string }
  | { kind: "grant_types"; removed: GrantType[] }
  | { kind: "redirect_uris" | "scopes" | "resources"; removed: string[] };

export type Count = { count: number; more: boolean };
/** Null stands for what is not counted. `lastTokenAt` in Unix seconds. */
export type ClientImpact = {
  users: Count | null;
  grants: Count | null;
  lastTokenAt: number | null;
  signIns30d: number | null;
  atOnce: string[];
  later: string[];
};

/** What a change does, in sentences for the admin who is about to make it. CO-37. */
export function consequences(
  client: Pick<ClientRow, "type" | "options">,
  change: ClientChange,
  lastSecret: LastSecret,
): Pick<ClientImpact, "atOnce" | "later"> {
  const end = `within ${span(lifetimesOf(client).accessTokenSeconds)}`;
  switch (change.kind) {
    case "disable":
      return {
        atOnce: ["Its requests are rejected, and its tokens stop working."],
        later: ["If you enable it again, tokens that have not expired work again."],
      };
    case "remove":
      return {
        atOnce: ["Its secrets and tokens stop working."],
        later: ["Its settings are deleted after 7 days. A restored client starts without users."],
      };
    case "retire_secret":
      return retirement(lastSecret, end);
    case "redirect_uris":
      return {
        atOnce: ["Sign-ins that return to a removed URI are refused with an error page."],
        later: ["Users who are signed in stay signed in until their tokens expire."],
      };
    case "grant_types":
      return {
        atOnce: ["Token requests with a removed grant are rejected."],
        later: change.removed.includes("refresh_token")
          ? [`Access tokens expire ${end}; then users have to sign in again.`]
          : ["Tokens that the client already has keep working until they expire."],
      };
    case "scopes":
      return {
        atOnce: ["New tokens don’t have the removed scopes, even after a refresh."],
        later: [`Access tokens that have them expire ${end}.`],
      };
    case "resources":
      return {
        atOnce: ["The client gets no new tokens for the removed APIs."],
        later: [`Access tokens for them expire ${end}.`],
      };
    case "lifetimes":
      return {
        atOnce: ["New tokens have the new lifetimes."],
        later: [
          "Access tokens that the client already has keep theirs. A sign-in keeps its latest end, and its tokens get the new idle time.",
        ],
      };
  }
}

/** `end`: when the access tokens that the client has expire. */
function retirement(lastSecret: LastSecret, end: string): Pick<ClientImpact, "atOnce" | "later"> {
  switch (lastSecret) {
    case "only":
      return {
        atOnce: ["It is the only active secret: the client can’t authenticate until you add another one."],
        later: [`Its access tokens expire ${end}, and it can’t get new ones.`],
      };
    case "without_end":
      return {
        atOnce: ["Requests with this secret are rejected."],
        later: [
          "An end is set for the other active secret too. After it, the client can’t authenticate until you add another one.",
        ],
      };
    case null:
      return {
        atOnce: ["Requests with this secret are rejected."],
        later: ["Tokens that the client already has keep working."],
      };
  }
}

/** What removing an application with so many clients does. */
export function applicationRemoval(clients: number): Pick<ClientImpact, "atOnce" | "later"> {
  return {
    atOnce: [
      clients === 1
        ? "The secrets and tokens of its client stop working."
        : `The secrets and tokens of its ${clients} clients stop working.`,
    ],
    later: ["Its settings are deleted after 7 days. A restored application starts without users."],
  };
}

const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** The largest unit that divides it, such as "10 minutes". */
function span(seconds: number): string {
  const [unit, size] = UNITS.find(([, length]) => seconds % length === 0) ?? ["second", 1];
  const count = seconds / size;
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
