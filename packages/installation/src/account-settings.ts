import { isIP } from "node:net";
import { type AccountSettings, normaliseDomain, SIGN_UP_MODES } from "@gatehouse/accounts";
import { ACR, type Config, ROLES } from "@gatehouse/auth";
import { z } from "zod";
import type { MailSettings } from "./mail-settings.ts";
import { numberOf } from "./number-of.ts";
import { passkeyVariables, readPasskeySettings } from "./passkey-settings.ts";

const onOrOff = z.enum(["on", "off"], "must be on or off");

/** A list like `example.com,example.org`. RG-01. */
const domains = z.string().transform((value, context) => {
  const names = value.split(",").map((name) => normaliseDomain(name));
  const known = names.filter((name) => name !== undefined);
  if (known.length === names.length) return known;
  context.addIssue({ code: "custom", message: "must be a list of domains like example.com,example.org, without @ or *" });
  return z.NEVER;
});

/** A list like `admin,developer`. */
const roles = z.string().transform((value, context) => {
  const names = value.split(",").map((name) => name.trim());
  if (names.every((name) => ROLES.some((role) => role === name))) return ROLES.filter((role) => names.includes(role));
  context.addIssue({ code: "custom", message: `must be a list of ${ROLES.join(", ")}, separated by commas` });
  return z.NEVER;
});

/** The variables of accounts. Each part adds its own. */
export const accountVariables = {
  GATEHOUSE_SIGN_UP: z.enum(SIGN_UP_MODES, `must be ${SIGN_UP_MODES.join(", ")}`).default("open"),
  GATEHOUSE_SIGN_UP_DOMAINS: domains.optional(),
  GATEHOUSE_EMAIL_VERIFICATION: z.enum(["first", "later"], "must be first or later").optional(),
  GATEHOUSE_DELETION_GRACE_DAYS: numberOf("days", 0, 30).default(7),
  GATEHOUSE_EMAIL_SIGN_IN: onOrOff.default("off"),
  ...passkeyVariables,
  GATEHOUSE_MFA: z.enum(["optional", "required"], "must be optional or required").default("optional"),
  GATEHOUSE_MFA_ROLES: roles.optional(),
};

type Given = z.output<z.ZodObject<typeof accountVariables>>;

/** Throws an error that names the variable. */
export function accountSettings(
  given: Given,
  {
    issuer,
    productName,
    defaultLocale,
    delivery,
  }: { issuer: string; productName: string; defaultLocale: string; delivery: MailSettings["delivery"] },
): AccountSettings {
  if (given.GATEHOUSE_EMAIL_VERIFICATION === "first" && delivery.kind === "off")
    throw new Error("GATEHOUSE_EMAIL_VERIFICATION=first needs mail: set GATEHOUSE_SMTP_URL, or use later");
  // Otherwise a code that never arrives would count as a way to sign in. WA-12.
  if (given.GATEHOUSE_EMAIL_SIGN_IN === "on" && delivery.kind === "off")
    throw new Error("GATEHOUSE_EMAIL_SIGN_IN=on needs mail: set GATEHOUSE_SMTP_URL, or use off");
  return {
    signUp: given.GATEHOUSE_SIGN_UP,
    signUpDomains: given.GATEHOUSE_SIGN_UP_DOMAINS ?? [],
    emailVerification: given.GATEHOUSE_EMAIL_VERIFICATION ?? (delivery.kind === "smtp" ? "first" : "later"),
    deletionGraceDays: given.GATEHOUSE_DELETION_GRACE_DAYS,
    productName,
    defaultLocale,
    emailSignIn: given.GATEHOUSE_EMAIL_SIGN_IN === "on",
    ...readPasskeySettings(given, issuer),
  };
}

/** Who needs a second factor, and the levels that people can reach. On https, console users who can change something need one. MF-09, AL-01. */
export function levelSettings(given: Given, issuer: string): Required<Pick<Config, "secondFactor" | "levels">> {
  const { protocol, hostname } = new URL(issuer);
  const defaultRoles = protocol === "https:" ? (["admin", "developer"] as const) : [];
  const takesPasskeys = isIP(hostname.replace(/^\[|\]$/g, "")) === 0; // WA-01
  return {
    secondFactor: { everybody: given.GATEHOUSE_MFA === "required", roles: given.GATEHOUSE_MFA_ROLES ?? defaultRoles },
    levels: [...(given.GATEHOUSE_EMAIL_SIGN_IN === "on" ? [ACR.email] : []), ACR.password, ACR.mfa, ...(takesPasskeys ? [ACR.phr] : [])],
  };
}
