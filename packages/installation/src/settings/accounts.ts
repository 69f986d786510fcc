import { isIP } from "node:net";
import { type AccountSettings, normaliseDomain, SIGN_UP_MODES } from "@gatehouse/accounts";
import { ACR, type Config, ROLES } from "@gatehouse/auth";
import { z } from "zod";
import { wrongSetting } from "./error.ts";
import type { MailSettings } from "./mail.ts";
import { passkeyVariables, readPasskeySettings } from "./passkeys.ts";
import { onOrOff, type SettingsTable, SWITCH, shapeOf, wholeNumber } from "./setting.ts";

/** A list like `example.com,example.org`. RG-01. */
const domains = z.string().transform((value, context) => {
  const names = value.split(",").map((name) => normaliseDomain(name));
  const known = names.filter((name) => name !== undefined);
  if (known.length === names.length) return known;
  context.addIssue({
    code: "custom",
    message: "must be a list of domains like example.com,example.org, without @ or *",
  });
  return z.NEVER;
});

/** A list like `admin,developer`. */
const roles = z.string().transform((value, context) => {
  const names = value.split(",").map((name) => name.trim());
  if (names.every((name) => ROLES.some((role) => role === name))) return ROLES.filter((role) => names.includes(role));
  context.addIssue({ code: "custom", message: `must be a list of ${ROLES.join(", ")}, separated by commas` });
  return z.NEVER;
});

const ACCOUNTS_GROUP = { title: "Accounts", text: "Who gets an account, and how." };
export const SIGN_IN = { title: "Sign-in", text: "What a sign-in takes." };

const graceDays = wholeNumber("days", 0, 30);

export const ACCOUNTS = {
  GATEHOUSE_SIGN_UP: {
    value: z.enum(SIGN_UP_MODES, `must be ${SIGN_UP_MODES.join(", ")}`).default("open"),
    docs: {
      default: "`open`",
      meaning:
        "who can create an account: `open` anybody, `invited` people with an " +
        "[invitation](accounts.md#sign-up-and-addresses), `closed` only operators",
      example: "open",
    },
    console: {
      section: "registration",
      group: ACCOUNTS_GROUP,
      label: "Sign-up",
      about: "Who can create an account.",
      input: {
        kind: "choice",
        options: [
          { value: "open", label: "Anybody" },
          { value: "invited", label: "People with an invitation" },
          { value: "closed", label: "Only admins create accounts" },
        ],
      },
      changeable: true,
      show: ({ accounts }) => accounts.signUp,
    },
  },
  GATEHOUSE_SIGN_UP_DOMAINS: {
    value: domains.optional(),
    docs: {
      default: "all",
      meaning:
        "the only domains of people who sign up without an invitation, or change their address, like " +
        "`example.com,example.org`. Exact: sub-domains are listed too",
      example: "",
    },
    console: {
      section: "registration",
      group: ACCOUNTS_GROUP,
      label: "Email domains",
      about:
        "The only domains of people who sign up without an invitation or change their address. Separate them with " +
        "commas; list sub-domains too.",
      input: { kind: "text", placeholder: "example.com,example.org", maxLength: 2_000 },
      empty: "All domains",
      changeable: true,
      show: ({ accounts }) => accounts.signUpDomains.join(","),
    },
  },
  GATEHOUSE_EMAIL_VERIFICATION: {
    value: z.enum(["first", "later"], "must be first or later").optional(),
    docs: {
      default: "`first` with SMTP, otherwise `later`",
      meaning:
        "`first`: an account exists once its address is proved. `later`: at once, with an address that is not " +
        "verified",
      example: "later",
    },
    console: {
      section: "registration",
      group: ACCOUNTS_GROUP,
      label: "Email verification",
      about:
        "“First” creates the account once its address is proved. “Later” creates it at once, with an unverified " +
        "address.",
      input: {
        kind: "choice",
        options: [
          { value: "first", label: "First" },
          { value: "later", label: "Later" },
        ],
      },
      changeable: true,
      show: ({ accounts }) => accounts.emailVerification,
    },
  },
  GATEHOUSE_DELETION_GRACE_DAYS: {
    value: graceDays.value.default(7),
    docs: {
      default: "`7`",
      meaning: "how many days a user can restore an account that they deleted, 0 to 30",
      example: "7",
    },
    console: {
      section: "registration",
      group: ACCOUNTS_GROUP,
      label: "Deleted accounts",
      about: "For how long users can restore an account that they deleted. With 0 it’s gone at once.",
      input: graceDays.input,
      changeable: true,
      show: ({ accounts }) => String(accounts.deletionGraceDays),
    },
  },
  GATEHOUSE_MFA: {
    value: z.enum(["optional", "required"], "must be optional or required").default("optional"),
    docs: {
      default: "`optional`",
      meaning: "`required`: everybody needs a second factor. Those who have none set one up when they sign in",
      example: "optional",
    },
    console: {
      section: "registration",
      group: SIGN_IN,
      label: "Second factor",
      about: "If required, users without one set it up at their next sign-in.",
      input: {
        kind: "choice",
        options: [
          { value: "optional", label: "Users decide" },
          { value: "required", label: "Required for everybody" },
        ],
      },
      changeable: true,
      show: ({ config }) => (config.secondFactor?.everybody ? "required" : "optional"),
    },
  },
  GATEHOUSE_MFA_ROLES: {
    value: roles.optional(),
    docs: {
      default: "`admin,developer` on https, empty on loopback http",
      meaning: "the roles that need a second factor, separated by commas",
      example: "",
    },
    console: {
      section: "registration",
      group: SIGN_IN,
      label: "Roles that need a second factor",
      about: "Even if users otherwise decide for themselves. With none selected, the default applies.",
      input: {
        kind: "names",
        options: [
          { value: "admin", label: "Admin" },
          { value: "developer", label: "Developer" },
          { value: "viewer", label: "Viewer" },
          { value: "user", label: "User" },
        ],
      },
      empty: "None",
      changeable: true,
      show: ({ config }) => (config.secondFactor?.roles ?? []).join(","),
    },
  },
  GATEHOUSE_EMAIL_SIGN_IN: {
    value: onOrOff.default("off"),
    docs: {
      default: "`off`",
      meaning:
        "`on`: users can sign in with a code from an email instead of a password. Needs mail: on https, " +
        "`GATEHOUSE_SMTP_URL`",
      example: "off",
    },
    console: {
      section: "registration",
      group: SIGN_IN,
      label: "Sign-in by email",
      about: "Users can sign in with a code from an email instead of a password.",
      input: SWITCH,
      changeable: true,
      show: ({ accounts }) => (accounts.emailSignIn ? "on" : "off"),
    },
  },
} as const satisfies SettingsTable<{ accounts: AccountSettings; config: Config }>;

export const accountVariables = { ...shapeOf(ACCOUNTS), ...passkeyVariables };

type Given = z.output<z.ZodObject<typeof accountVariables>>;

/** Throws SettingsError. */
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
    throw wrongSetting(
      "GATEHOUSE_EMAIL_VERIFICATION",
      "cannot be first without mail: set GATEHOUSE_SMTP_URL, or use later",
    );
  // Otherwise a code that never arrives would count as a way to sign in. WA-12.
  if (given.GATEHOUSE_EMAIL_SIGN_IN === "on" && delivery.kind === "off")
    throw wrongSetting("GATEHOUSE_EMAIL_SIGN_IN", "cannot be on without mail: set GATEHOUSE_SMTP_URL, or use off");
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

/**
 * Who needs a second factor, and the levels that people can reach. On https, console users who can change something
 * need one. MF-09, AL-01.
 */
export function levelSettings(given: Given, issuer: string): Required<Pick<Config, "secondFactor" | "levels">> {
  const { protocol, hostname } = new URL(issuer);
  const defaultRoles = protocol === "https:" ? (["admin", "developer"] as const) : [];
  const takesPasskeys = isIP(hostname.replace(/^\[|\]$/g, "")) === 0; // WA-01
  return {
    secondFactor: { everybody: given.GATEHOUSE_MFA === "required", roles: given.GATEHOUSE_MFA_ROLES ?? defaultRoles },
    levels: [
      ...(given.GATEHOUSE_EMAIL_SIGN_IN === "on" ? [ACR.email] : []),
      ACR.password,
      ACR.mfa,
      ...(takesPasskeys ? [ACR.phr] : []),
    ],
  };
}
