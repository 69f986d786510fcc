import { normaliseEmail } from "@gatehouse/accounts";
import { CLIENT_TYPES, ENVIRONMENTS, ROLES } from "@gatehouse/auth";
import { z } from "zod";

/** One line of text, without control characters or unpaired surrogates, which databases treat differently. */
export const line = z.string().regex(/^[^\p{Cc}\p{Cs}]*$/u, "remove control characters and line breaks");
/** The same, with line breaks. */
export const lines = z.string().regex(/^(?:[^\p{Cc}\p{Cs}]|[\n\r\t])*$/u, "remove control characters");

export const id = line.min(1).max(64);
/** The id of a client with a metadata document is a URL. */
export const clientId = line.min(1).max(255);
/** A time in Unix seconds. */
export const at = z.int();
export const cursor = line.min(1).max(200);
export const limit = z.int().min(1).max(100).default(25);

/** The version at which a form was read; a save at an older one is a conflict. CO-45. */
export const version = z.int().min(0);

export const environment = z.enum(ENVIRONMENTS);
export const clientType = z.enum(CLIENT_TYPES);
export const role = z.enum(ROLES);

/** One email address, in the form in which accounts store it. EA-01. */
export const email = z.string().transform((typed, context) => {
  const stored = normaliseEmail(typed);
  if (stored !== undefined) return stored;
  context.addIssue({ code: "custom", message: "must be an email address like ada@example.com" });
  return z.NEVER;
});
