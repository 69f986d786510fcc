import type { Seal } from "@gatehouse/auth";
import type { Problem } from "../domain-error.ts";
import { isRedirected } from "../secrets/destinations.ts";

type Values = Readonly<Record<string, string>>;

/**
 * The settings that are a URL with a password in it. They are saved sealed, each as a whole, so that nobody who can
 * write to the database sends the password elsewhere; the password is never returned. CO-67.
 */
const SEALED: ReadonlySet<string> = new Set(["GATEHOUSE_SMTP_URL"]);

const purposeOf = (variable: string) => `setting ${variable}`;

/** Settings as the database has them. */
export function sealValues(values: Values, seal: Seal): Record<string, string> {
  return mapSealed(values, (variable, value) => seal.seal(purposeOf(variable), value)).values;
}

/** The sealed ones among settings as the database has them. */
export function sealedIn(values: Values): string[] {
  return Object.entries(values).flatMap(([variable, value]) => (SEALED.has(variable) ? [value] : []));
}

/** Settings of the database, in clear text. `unreadable`: left out, since they were sealed under another secret. */
export function openValues(values: Values, seal: Seal): { values: Record<string, string>; unreadable: string[] } {
  return mapSealed(values, (variable, value) => seal.open(purposeOf(variable), value));
}

function mapSealed(values: Values, change: (variable: string, value: string) => string | undefined) {
  const unreadable: string[] = [];
  const entries = Object.entries(values).flatMap(([variable, value]) => {
    const changed = SEALED.has(variable) ? change(variable, value) : value;
    if (changed === undefined) unreadable.push(variable);
    return changed === undefined ? [] : [[variable, changed] as const];
  });
  return { values: Object.fromEntries(entries), unreadable };
}

/** Values as they may be returned and recorded: without passwords. */
export function shownValues(values: Readonly<Record<string, string | null>>): Record<string, string | null> {
  return Object.fromEntries(
    Object.entries(values).map(([variable, value]) => [
      variable,
      value !== null && SEALED.has(variable) ? withoutPassword(value) : value,
    ]),
  );
}

/**
 * What was entered, with the saved password where a URL names its user but no password. A password does not follow to
 * another server or user: there it has to be entered again.
 */
export function withKeptPasswords(
  entered: Readonly<Record<string, string | null>>,
  saved: Values,
): { values: Record<string, string | null>; problems: Problem[] } {
  const problems: Problem[] = [];
  const entries = Object.entries(entered).map(([variable, value]) => {
    const url = value !== null && SEALED.has(variable) ? urlOf(value) : undefined;
    if (!url || url.username === "" || url.password !== "") return [variable, value] as const;
    const before = saved[variable];
    const password = before === undefined ? undefined : urlOf(before)?.password;
    if (before === undefined || !password)
      problems.push({ path: variable, message: "enter the password of this user as well" });
    else if (isRedirected("SMTP server's password", { url: before }, { url: url.href }))
      problems.push({ path: variable, message: "enter the password again: it would go to another server or user" });
    else url.password = password;
    return [variable, url.href] as const;
  });
  return { values: Object.fromEntries(entries), problems };
}

/** The passwords that a change replaces, as the audit log names them. */
export function changedPasswords(before: Values, after: Readonly<Record<string, string | null>>) {
  const changed = Object.entries(after).filter(([variable, value]) => {
    const password = value !== null && SEALED.has(variable) ? urlOf(value)?.password : undefined;
    return password && password !== urlOf(before[variable] ?? "")?.password;
  });
  return Object.fromEntries(changed.map(([variable]) => [`${variable} password`, { before: null, after: "changed" }]));
}

/** Empty for what is no URL: it could be anything, also a password. */
function withoutPassword(value: string): string {
  const url = urlOf(value);
  if (!url) return "";
  url.password = "";
  return url.href;
}

const urlOf = (value: string): URL | undefined => (URL.canParse(value) ? new URL(value) : undefined);
