import type { SignInView } from "@gatehouse/console/sign-ins/sign-ins";
import { fieldsText, instantText } from "./fields-text.ts";

const ACTORS: Record<NonNullable<SignInView["meaning"]>["actor"], string> = {
  user: "the user",
  admin: "an admin of this server",
  operator: "the operator of this server",
  nobody: "nobody",
};

/** An entry of the sign-in log, for a person at a terminal. `link`: its page in the console. SL-04. */
export function signInText(signIn: SignInView, link: string): string {
  const { id, at, outcome, cause, meaning, factor, user, typedEmail, client, address, userAgent, detail } = signIn;
  const who = user === null ? `${typedEmail ?? "an address"} (no account)` : `${user.email} (${user.id})`;
  return fieldsText(`Sign-in ${id}`, [
    ["When", instantText(at)],
    ["Who", who],
    ["With", factor],
    ["Result", outcome],
    ...(meaning === null ? [] : ([["Cause", `${cause}. ${meaning.explanation}`]] as const)),
    ["On the way to", client === null ? "no application" : (client.applicationName ?? client.clientId)],
    ["Address", address ?? "unknown"],
    ["Browser", userAgent ?? "unknown"],
    ...Object.entries(detail).map(([name, value]) => [`  ${name}`, String(value)] as const),
    ...(meaning === null
      ? []
      : ([
          ["Who can fix it", ACTORS[meaning.actor]],
          ["How to fix it", meaning.howToFix],
        ] as const)),
    ["In the console", link],
  ]);
}
