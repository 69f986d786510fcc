import { REGISTRARS } from "@gatehouse/auth";
import { z } from "zod";
import { at, clientType, environment, id, line, role } from "./fields.ts";

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
});

const name = line.trim().min(1, "give a name").max(100, "use at most 100 characters");
export const userDraft = z.object({
  email: z
    .string()
    .trim()
    .toLowerCase()
    .max(254, "use at most 254 characters")
    .pipe(z.email("must be an email address like ada@example.com")),
  name,
  password: z.string().min(10, "use at least 10 characters").max(256, "use at most 256 characters"),
  role,
  /** Takes over an account that somebody else created with this address and never verified; its data is deleted. */
  adopt: z.boolean().optional(),
});
export const userChange = z.object({ id, name: name.optional(), role: role.optional() });

export const sessionView = z.object({
  id,
  userAgent: z.string().nullable(),
  address: z.string().nullable(),
  createdAt: at,
  lastSeenAt: at,
  expiresAt: at,
  /** True for the caller's session. */
  current: z.boolean(),
});

export const meView = z.object({
  user: z.object({ id, email: z.string(), name: z.string(), role }),
  scopes: z.array(z.string()),
  /** How much longer the sign-in is fresh enough for sensitive changes. */
  freshForSeconds: z.int(),
  can: z.object({ manageProduction: z.boolean(), manageDevelopment: z.boolean(), manageUsers: z.boolean(), view: z.boolean() }),
});

export const connectedApp = z.object({
  clientId: z.string(),
  applicationName: z.string(),
  environment,
  type: clientType,
  /** `resource` is the API that a scope belongs to; null for the built-in one. */
  scopes: z.array(z.object({ name: z.string(), description: z.string(), resource: z.string().nullable() })),
  allowedAt: at,
  lastUsedAt: at.nullable(),
});
