import { z } from "zod";
import { at, email, id, role } from "../fields.ts";

export const invitationDraft = z.strictObject({ email, role });
/** `link` is given only if no SMTP server will take the mail `mailId`, and only once. */
export const invitationSent = z.object({
  id,
  email: z.string(),
  expiresAt: at,
  link: z.string().nullable(),
  mailId: z.string().nullable(),
});
export const invitationView = z.object({
  id,
  email: z.string(),
  role,
  createdAt: at,
  expiresAt: at,
  acceptedAt: at.nullable(),
  /** Null for an invitation of the command line. */
  invitedByName: z.string().nullable(),
  state: z.enum(["pending", "accepted", "expired"]),
});
