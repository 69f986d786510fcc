import { ago } from "@gatehouse/languages";
import { PasswordSection } from "../../../../../views/account/password.tsx";
import type { SecuritySection } from "./section.ts";

/** The password, with the way to change it. PW-08. */
export const passwordSection: SecuritySection = async ({ session, app, frame }) => {
  const { people, now } = app.deps;
  const [account, { hasPassword }] = await Promise.all([
    people.findAccount(session.user.id),
    people.findResetFacts(session.user.id),
  ]);
  const changed = account?.passwordSetAt == null ? undefined : ago(account.passwordSetAt, now(), frame.locale);
  return PasswordSection({ frame, hasPassword, changed });
};
