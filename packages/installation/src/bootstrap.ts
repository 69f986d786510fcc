import { hasVerifiedOwner } from "@gatehouse/accounts";
import { mintId } from "@gatehouse/auth";
import type { OperationDeps } from "@gatehouse/console/deps";
import { DomainError } from "@gatehouse/console/domain-error";
import { shortPasswordNotice } from "@gatehouse/console/users/password";
import { createUser } from "@gatehouse/console/users/users";
import { findUserByEmail, hasAdmin, type UserRow } from "@gatehouse/db/stores/accounts/users";
import { ensureBuiltInClients } from "./built-in-clients.ts";
import type { Settings } from "./settings/settings.ts";

type Part = Pick<
  OperationDeps,
  "db" | "store" | "now" | "random" | "config" | "hasher" | "passwordRules" | "mail" | "accounts"
>;

/** The credentials of a new admin, with the password in plain text. `notice`: it is shorter than users may choose. */
export type NewAdmin = {
  email: string;
  password: string;
  generated: boolean;
  first: boolean;
  notice: string | undefined;
};

/** What a start did about admins; empty if there was nothing to do. */
export type AdminOutcome = {
  /** The admin that this start created. */
  made?: NewAdmin;
  /** The existing account that GATEHOUSE_ADMIN_EMAIL names. It was not changed. */
  existing?: Pick<UserRow, "email" | "role" | "disabledAt">;
};

/**
 * Registers the clients of the console and the command line, and creates an admin if there is none or no account has
 * GATEHOUSE_ADMIN_EMAIL. Runs at every start, and is safe in several processes at once. Throws `conflict` when there is
 * no admin and none can be created.
 */
export async function bootstrap(
  settings: Pick<Settings, "adminUrl" | "secret" | "previousSecrets" | "consoleSession" | "firstAdmin">,
  deps: Part,
): Promise<AdminOutcome> {
  await ensureBuiltInClients(settings, deps);
  return ensureAdmin(settings.firstAdmin, deps);
}

async function ensureAdmin(wanted: Settings["firstAdmin"], deps: Part): Promise<AdminOutcome> {
  const there = await hasAdmin(deps.db);
  if (there && wanted.email === undefined) return {};
  const email = wanted.email ?? "admin@example.com";
  const existing = await findUserByEmail(deps.db, email);
  if (existing) return ofExisting(existing, wanted, deps);

  const password = wanted.password ?? mintId(deps.random);
  try {
    await createUser({ email, name: "Admin", password, role: "admin" }, deps);
    const notice = shortPasswordNotice({ email, password }, deps);
    return { made: { email, password, generated: wanted.password === undefined, first: !there, notice } };
  } catch (cause) {
    const winner = await findUserByEmail(deps.db, email);
    if (!winner) throw cause;
    return ofExisting(winner, wanted, deps);
  }
}

/** Silent unless the configuration names the account: another process was first and reports it. */
async function ofExisting(existing: UserRow, wanted: Settings["firstAdmin"], deps: Part): Promise<AdminOutcome> {
  const left = await leaveAsIs(existing, deps);
  return wanted.email === undefined ? {} : left;
}

/** Never promotes an existing account because of its address: an operator has to do that explicitly. RG-06. */
async function leaveAsIs(existing: UserRow, { db }: Part): Promise<AdminOutcome> {
  const { email, role, disabledAt } = existing;
  if (await hasAdmin(db)) return { existing: { email, role, disabledAt } };
  const adopt = hasVerifiedOwner(existing)
    ? ""
    : ` or take the account over with: gatehouse user create --email ${email} --name Admin --role admin --adopt`;
  throw new DomainError(
    "conflict",
    `There is no admin, and the account ${email} belongs to somebody else. Set GATEHOUSE_ADMIN_EMAIL to another address${adopt && `,${adopt}`}.`,
  );
}

/**
 * The message for the operator, or undefined when there is none. Print it to the terminal, not to the log: it may
 * contain a password.
 */
export function describeAdmin({ made, existing }: AdminOutcome): string | undefined {
  if (existing) {
    const state = existing.disabledAt === null ? existing.role : `${existing.role}, disabled`;
    return `  GATEHOUSE_ADMIN_EMAIL: ${existing.email} already has an account (role ${state}). It was not changed.`;
  }
  if (!made) return undefined;
  const title = made.first ? "The first admin" : "Another admin, for GATEHOUSE_ADMIN_EMAIL";
  const secret = made.generated ? `${made.password}   (shown only once)` : "as set in GATEHOUSE_ADMIN_PASSWORD";
  const notice = made.notice === undefined ? "" : `\n  Notice: ${made.notice}.\n`;
  return `\n  ${title}\n\n    Email     ${made.email}\n    Password  ${secret}\n${notice}`;
}
