import type { Refusal, UriDifferenceKind } from "@/trpc/types.ts";

/** What a group's requests have in common, by the kind of difference. */
const DIFFERENCES: Record<UriDifferenceKind, string> = {
  white_space: "white space in it",
  characters: "unusual characters",
  other_environment: "registered for another environment",
  scheme: "another scheme",
  user_name: "a user name before the host",
  host: "another host",
  port: "another port",
  case: "upper and lower case",
  slash: "a slash at the end",
  encoding: "another encoding",
  path: "another path",
  query: "another query",
  fragment: "a # part",
};

/** A group's difference in words: the kind of a redirect URI's difference, or the scope. Empty if there is none. */
export function differenceText(difference: string): string {
  return Reflect.get(DIFFERENCES, difference) ?? difference;
}

/** Who acts, as it continues "Who acts: ". */
export const ACTORS: Record<Refusal["actor"], string> = {
  "client developer": "the developer of the client",
  admin: "an admin, here in the console",
  user: "the user",
  operator: "the operator of this server",
  nobody: "no one",
};
