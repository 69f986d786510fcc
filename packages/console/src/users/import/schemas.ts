import { fromKeycloak, HashFormatError, readPasswordHash } from "@gatehouse/accounts";
import { z } from "zod";
import { email, line, role } from "../../fields.ts";

/** A hash of a supported format, or a password credential as Keycloak exports it. UM-06, UM-07. */
export const passwordHash = z
  .union([z.string(), z.looseObject({})], "must be a password hash")
  .transform((value, context) => {
    try {
      const encoded = typeof value === "string" ? value : fromKeycloak(value);
      readPasswordHash(encoded);
      return encoded;
    } catch (thrown) {
      if (!(thrown instanceof HashFormatError)) throw thrown;
      context.addIssue({ code: "custom", message: thrown.message });
      return z.NEVER;
    }
  });

export const localeTag = z.string().transform((tag, context) => {
  try {
    const [canonical] = Intl.getCanonicalLocales(tag);
    if (canonical !== undefined) return canonical;
  } catch {}
  context.addIssue({ code: "custom", message: "must be a language tag like de or pt-BR" });
  return z.NEVER;
});

/** An ISO 8601 time, or Unix seconds. */
const instant = z.union(
  [z.int().min(0), z.iso.datetime({ offset: true }).transform((text) => Math.floor(Date.parse(text) / 1000))],
  "must be a time like 2027-01-31T12:00:00Z, or Unix seconds",
);

const identity = z.strictObject({
  /** The id of a sign-in provider. */
  provider: line.trim().min(1).max(64),
  issuer: line.trim().min(1).max(255),
  subject: line.trim().min(1).max(255),
  email: line.trim().max(254).optional(),
});

/** One line of `gatehouse users import`. */
export const importedUser = z.strictObject({
  /** As exported; not read, because every installation has ids of its own. */
  id: z.string().optional(),
  email,
  name: line.trim().min(1).max(80, "use at most 80 characters").optional(),
  external_id: line.trim().min(1).max(255).optional(),
  email_verified: z.boolean().optional(),
  role: role.optional(),
  locale: localeTag.optional(),
  disabled: z.boolean().optional(),
  created_at: instant.optional(),
  password_hash: passwordHash.optional(),
  totp_secret: z
    .string()
    .transform((text) => text.replaceAll(" ", "").replace(/=+$/, "").toUpperCase())
    .pipe(z.string().regex(/^[A-Z2-7]{16,128}$/, "must be a base32 secret of at least 80 bits"))
    .optional(),
  identities: z.array(identity).max(20).default([]),
});
export type ImportedUser = z.output<typeof importedUser>;
