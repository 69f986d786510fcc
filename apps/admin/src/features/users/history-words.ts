import { ROLES } from "@/components/role-badge.tsx";
import { changesOf } from "@/features/audit/changes.ts";
import type { Role, UserEvent, UserHistoryEntry } from "@/trpc/types.ts";

const ACTIONS: Readonly<Record<string, string>> = {
  "user.create": "Created the account",
  "user.update": "Changed the profile",
  "user.role": "Changed the role",
  "user.disable": "Disabled the account",
  "user.enable": "Enabled the account",
  "user.delete": "Deleted the account",
  "user.restore": "Kept the account from deletion",
  "user.end_session": "Ended a session",
  "user.end_sessions": "Ended all sessions",
  "user.disconnect_apps": "Revoked all tokens",
  "user.require_password": "Required a new password",
  "user.send_reset_link": "Sent a reset link",
  "user.reset_second_factors": "Reset second factors",
  "user.import": "Imported",
};

/** One act of an admin as a sentence without its subject. */
export function actionWords({ action, detail }: UserHistoryEntry): string {
  const role = action === "user.role" ? changesOf(detail).find(({ field }) => field === "role") : undefined;
  if (!role) return ACTIONS[action] ?? action;
  const textOf = (sign: "removed" | "added") => roleLabel(role.lines.find((line) => line.sign === sign)?.text);
  return `Changed the role from ${textOf("removed")} to ${textOf("added")}`;
}

function roleLabel(role: unknown): string {
  return typeof role === "string" && Object.hasOwn(ROLES, role) ? ROLES[role as Role].label : String(role);
}

/** The kinds that are not their own words. */
const EVENTS: Readonly<Record<string, string>> = {
  totp_on: "Authenticator app added",
  totp_off: "Authenticator app removed",
  recovery_codes_made: "New recovery codes",
  identity_linked: "Account connected",
  identity_removed: "Account disconnected",
  app_disconnected: "App disconnected",
  password_required: "New password required",
  browser_forgotten: "Browser no longer remembered",
  passkey_cloned: "Passkey refused: it may be copied",
  passkey_counter_lower: "Passkey used with an older counter",
};

/** "password_changed" as "Password changed". */
export function eventWords({ kind }: UserEvent): string {
  const known = EVENTS[kind];
  if (known !== undefined) return known;
  const words = kind.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
