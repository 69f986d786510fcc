import type { SettingSection } from "@gatehouse/console/settings/in-force";
import type { Settings } from "./settings.ts";

type Setting = {
  /** The environment variable. */
  variable: string;
  /** The page of the console's settings that shows it. */
  section: SettingSection;
  /** Applies while the server runs. */
  changeable?: true;
  /** Its value, as the variable would have it, without passwords; empty if there is none. */
  show: (settings: Settings) => string;
};

const onOff = (on: boolean | undefined) => (on ? "on" : "off");
const HOUR = 3_600;
const DAY = 86_400;

/** The settings that the console shows, in the order of its pages. CO-67. */
export const SETTINGS: readonly Setting[] = [
  { variable: "GATEHOUSE_DEFAULT_LOCALE", section: "general", changeable: true, show: ({ defaultLocale }) => defaultLocale },
  {
    variable: "GATEHOUSE_CONSOLE_IDLE_HOURS",
    section: "general",
    changeable: true,
    show: ({ consoleSession }) => String(consoleSession.idleSeconds / HOUR),
  },
  {
    variable: "GATEHOUSE_CONSOLE_SESSION_DAYS",
    section: "general",
    changeable: true,
    show: ({ consoleSession }) => String(consoleSession.absoluteSeconds / DAY),
  },
  { variable: "GATEHOUSE_ISSUER", section: "general", show: ({ config }) => config.issuer },
  { variable: "GATEHOUSE_ADMIN_URL", section: "general", show: ({ adminUrl }) => adminUrl },
  { variable: "DATABASE_URL", section: "general", show: ({ databaseUrl }) => withoutCredentials(databaseUrl) },
  { variable: "GATEHOUSE_API_TOKEN_FORMAT", section: "general", show: ({ config }) => config.tokenFormat ?? "opaque" },

  { variable: "GATEHOUSE_PRODUCT_NAME", section: "branding", changeable: true, show: ({ productName }) => productName },
  { variable: "GATEHOUSE_BRAND_COLOUR", section: "branding", changeable: true, show: ({ brand }) => brand.colour ?? "" },
  { variable: "GATEHOUSE_TERMS_URL", section: "branding", changeable: true, show: ({ brand }) => brand.termsUrl ?? "" },
  { variable: "GATEHOUSE_PRIVACY_URL", section: "branding", changeable: true, show: ({ brand }) => brand.privacyUrl ?? "" },
  { variable: "GATEHOUSE_SUPPORT_URL", section: "branding", changeable: true, show: ({ brand }) => brand.supportUrl ?? "" },

  { variable: "GATEHOUSE_SIGN_UP", section: "registration", changeable: true, show: ({ accounts }) => accounts.signUp },
  {
    variable: "GATEHOUSE_SIGN_UP_DOMAINS",
    section: "registration",
    changeable: true,
    show: ({ accounts }) => accounts.signUpDomains.join(","),
  },
  {
    variable: "GATEHOUSE_EMAIL_VERIFICATION",
    section: "registration",
    changeable: true,
    show: ({ accounts }) => accounts.emailVerification,
  },
  { variable: "GATEHOUSE_EMAIL_SIGN_IN", section: "registration", changeable: true, show: ({ accounts }) => onOff(accounts.emailSignIn) },
  {
    variable: "GATEHOUSE_DELETION_GRACE_DAYS",
    section: "registration",
    changeable: true,
    show: ({ accounts }) => String(accounts.deletionGraceDays),
  },
  {
    variable: "GATEHOUSE_MFA",
    section: "registration",
    changeable: true,
    show: ({ config }) => (config.secondFactor?.everybody ? "required" : "optional"),
  },
  {
    variable: "GATEHOUSE_MFA_ROLES",
    section: "registration",
    changeable: true,
    show: ({ config }) => (config.secondFactor?.roles ?? []).join(","),
  },
  {
    variable: "GATEHOUSE_PASSWORD_MIN_LENGTH",
    section: "registration",
    show: ({ passwords }) => String(passwords.leastCharacters),
  },
  { variable: "GATEHOUSE_BREACH_CHECK", section: "registration", show: ({ passwords }) => passwords.breaches.kind },
  {
    variable: "GATEHOUSE_REGISTRATION",
    section: "registration",
    changeable: true,
    show: ({ config }) => config.registration ?? "closed",
  },
  {
    variable: "GATEHOUSE_REGISTRATION_SCHEMES",
    section: "registration",
    changeable: true,
    show: ({ config }) => (config.registrationSchemes ?? []).join(",") || "none",
  },
  {
    variable: "GATEHOUSE_CLIENT_METADATA_DOCUMENTS",
    section: "registration",
    changeable: true,
    show: ({ config }) => onOff(config.clientMetadataDocuments),
  },

  { variable: "GATEHOUSE_SMTP_URL", section: "mail", show: ({ mail }) => smtpOf(mail)?.server ?? "" },
  { variable: "GATEHOUSE_MAIL_FROM", section: "mail", show: ({ mail }) => smtpOf(mail)?.from ?? "" },
  { variable: "GATEHOUSE_MAIL_BURST", section: "mail", show: ({ mail }) => String(mail.burst) },

  { variable: "GATEHOUSE_DELIVERY_DAYS", section: "retention", changeable: true, show: ({ inbox }) => String(inbox.bodyDays) },
  {
    variable: "GATEHOUSE_DELIVERY_MAX_MB",
    section: "retention",
    changeable: true,
    show: ({ inbox }) => String(inbox.maxBytes / 1_000_000),
  },
  { variable: "GATEHOUSE_AUDIT_DAYS", section: "retention", changeable: true, show: ({ auditDays }) => String(auditDays) },
];

function smtpOf({ delivery }: Settings["mail"]): { server: string; from: string } | undefined {
  if (delivery.kind !== "smtp") return undefined;
  const { server, from } = delivery;
  const scheme = server.tls === "implicit" ? "smtps" : "smtp";
  return { server: `${scheme}://${server.host}:${server.port}`, from: from.name ? `${from.name} <${from.address}>` : from.address };
}

function withoutCredentials(databaseUrl: string): string {
  if (databaseUrl.startsWith("file:")) return databaseUrl;
  const { protocol, host, pathname } = new URL(databaseUrl);
  return `${protocol}//${host}${pathname}`;
}
