import { ACCOUNT_EVENT_KINDS, MAX_NAME_LENGTH } from "@gatehouse/accounts";
import { REGISTRARS } from "@gatehouse/auth";
import { z } from "zod";
import { at, email, environment, id, line, role } from "../fields.ts";

export const userView = z.object({
  id,
  email: z.string(),
  name: z.string(),
  role,
  createdAt: at,
  disabledAt: at.nullable(),
  /** Null for users from before this was recorded. */
  registeredBy: z.enum(REGISTRARS).nullable(),
  emailVerifiedAt: at.nullable(),
  /** When the account is deleted, because its user asked for it. */
  deleteAfter: at.nullable(),
  /** When the newest sign-in began a session. */
  lastSignedInAt: at.nullable(),
});

/** Why an admin does something to an account: for the audit log. */
const reason = line.trim().max(300, "use at most 300 characters");
export const managedUser = z.strictObject({ id, reason: reason.optional() });
export const resetFactorsInput = z.strictObject({ id, reason: reason.min(3, "say why, in a few words") });

const factorTimes = { createdAt: at, lastUsedAt: at.nullable() };
/** What a user signs in with. */
export const userSecurity = z.object({
  hasPassword: z.boolean(),
  passwordSetAt: at.nullable(),
  mustChangePassword: z.boolean(),
  totp: z.object(factorTimes).nullable(),
  /** Unused ones. */
  recoveryCodes: z.int(),
  passkeys: z.array(z.object({ name: z.string(), ...factorTimes })),
  identities: z.array(z.object({ provider: z.string(), email: z.string().nullable(), ...factorTimes })),
});

/** What an operator did to a user. */
export const historyEntry = z.object({
  id: z.string(),
  at,
  actorId: z.string(),
  actorName: z.string(),
  via: z.enum(["console", "cli", "api", "api_token", "server"]),
  action: z.string(),
  detail: z.record(z.string(), z.unknown()),
});

/** What happened to an account. */
export const userEvent = z.object({
  id: z.string(),
  at,
  kind: z.enum(ACCOUNT_EVENT_KINDS),
  userAgent: z.string().nullable(),
  address: z.string().nullable(),
  detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});

const name = line.trim().min(1, "give a name").max(MAX_NAME_LENGTH, `use at most ${MAX_NAME_LENGTH} characters`);
export const userDraft = z.strictObject({
  email,
  name,
  password: z.string().min(10, "use at least 10 characters").max(256, "use at most 256 characters"),
  role,
  /** Takes over an account that somebody else created with this address and never verified; its data is deleted. */
  adopt: z.boolean().optional(),
});
export const userChange = managedUser.extend({
  name: name.optional(),
  role: role.optional(),
  /** What was read: if name or role has changed since, the change is a conflict. CO-45. */
  read: z.strictObject({ name: z.string().max(1000), role }).optional(),
});

export const connectedApp = z.object({
  applicationId: id,
  applicationName: z.string(),
  environment,
  clients: z.array(z.object({ clientId: z.string(), name: z.string() })),
  /** `resource` is the API that a scope belongs to; null for the built-in one. */
  scopes: z.array(z.object({ name: z.string(), description: z.string(), resource: z.string().nullable() })),
  allowedAt: at,
  lastUsedAt: at.nullable(),
});
