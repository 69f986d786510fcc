/** How a value is entered. What is entered is what the environment variable would have. */
export type SettingInput =
  | { kind: "text"; placeholder?: string; maxLength?: number }
  | { kind: "choice"; options: readonly { value: string; label: string }[] }
  | { kind: "colour" }
  | { kind: "number"; min: number; max: number; unit: string }
  | { kind: "names"; options: readonly { value: string; label: string }[] };

export type SettingField = {
  label: string;
  /** What it does, and when one wants another value. */
  about: string;
  input: SettingInput;
  /** Shown for a setting without a value. */
  empty?: string;
};

const onOff = [
  { value: "on", label: "On" },
  { value: "off", label: "Off" },
];
const text = { kind: "text" } as const;

/** Every setting that the console shows, by its environment variable. CO-67. */
export const SETTING_FIELDS: Readonly<Record<string, SettingField>> = {
  GATEHOUSE_PRODUCT_NAME: {
    label: "Product name",
    about: "In the header and title of every page that users see, and in every mail.",
    input: { kind: "text", maxLength: 60 },
  },
  GATEHOUSE_BRAND_COLOUR: {
    label: "Colour",
    about: "For buttons and links of pages and mails. Each theme gets a shade of it that is easy to read.",
    input: { kind: "colour" },
  },
  GATEHOUSE_TERMS_URL: {
    label: "Terms",
    about: "A link at the foot of every page that users see.",
    input: { kind: "text", placeholder: "https://", maxLength: 500 },
  },
  GATEHOUSE_PRIVACY_URL: {
    label: "Privacy",
    about: "The same for your privacy notice.",
    input: { kind: "text", placeholder: "https://", maxLength: 500 },
  },
  GATEHOUSE_SUPPORT_URL: {
    label: "Support",
    about: "The same for where users find help.",
    input: { kind: "text", placeholder: "https://", maxLength: 500 },
  },
  GATEHOUSE_DEFAULT_LOCALE: {
    label: "Default language",
    about: "For people whose browser asks for no language that Gatehouse speaks.",
    input: {
      kind: "choice",
      options: [
        { value: "en", label: "English" },
        { value: "de", label: "Deutsch" },
        { value: "fr", label: "Français" },
        { value: "es", label: "Español" },
        { value: "ar", label: "العربية" },
      ],
    },
  },
  GATEHOUSE_CONSOLE_IDLE_HOURS: {
    label: "Console session, unused",
    about: "A browser that hasn’t used the console for this long goes through sign-in again.",
    input: { kind: "number", min: 1, max: 336, unit: "hours" },
  },
  GATEHOUSE_CONSOLE_SESSION_DAYS: {
    label: "Console session, at most",
    about: "Everybody who uses the console proves who they are at least this often.",
    input: { kind: "number", min: 1, max: 30, unit: "days" },
  },
  GATEHOUSE_ISSUER: {
    label: "Issuer",
    about: "This server’s public address. Clients and tokens name it, so it should never change.",
    input: text,
  },
  GATEHOUSE_ADMIN_URL: { label: "Console address", about: "Where this console is reached.", input: text },
  DATABASE_URL: { label: "Database", about: "Shown without its password.", input: text },
  GATEHOUSE_API_TOKEN_FORMAT: {
    label: "Access tokens of the built-in API",
    about: "Opaque tokens are looked up at each request; JWTs are signed.",
    input: text,
  },

  GATEHOUSE_SIGN_UP: {
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
  },
  GATEHOUSE_SIGN_UP_DOMAINS: {
    label: "Email domains",
    about:
      "The only domains of people who sign up without an invitation or change their address. Separate them with commas; list sub-domains too.",
    input: { kind: "text", placeholder: "example.com,example.org", maxLength: 2_000 },
    empty: "All domains",
  },
  GATEHOUSE_EMAIL_VERIFICATION: {
    label: "Email verification",
    about: "“First” creates the account once its address is proved. “Later” creates it at once, with an unverified address.",
    input: {
      kind: "choice",
      options: [
        { value: "first", label: "First" },
        { value: "later", label: "Later" },
      ],
    },
  },
  GATEHOUSE_EMAIL_SIGN_IN: {
    label: "Sign-in by email",
    about: "Users can sign in with a code from an email instead of a password.",
    input: { kind: "choice", options: onOff },
  },
  GATEHOUSE_DELETION_GRACE_DAYS: {
    label: "Deleted accounts",
    about: "For how long users can restore an account that they deleted. With 0 it’s gone at once.",
    input: { kind: "number", min: 0, max: 30, unit: "days" },
  },
  GATEHOUSE_MFA: {
    label: "Second factor",
    about: "If required, users without one set it up at their next sign-in.",
    input: {
      kind: "choice",
      options: [
        { value: "optional", label: "Users decide" },
        { value: "required", label: "Required for everybody" },
      ],
    },
  },
  GATEHOUSE_MFA_ROLES: {
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
  },
  GATEHOUSE_PASSWORD_MIN_LENGTH: {
    label: "Password length",
    about: "The shortest password that users can choose, in characters.",
    input: text,
  },
  GATEHOUSE_BREACH_CHECK: { label: "Breached passwords", about: "Where new passwords are looked up.", input: text },
  GATEHOUSE_REGISTRATION: {
    label: "Dynamic client registration",
    about: "Whether programs can register clients themselves (RFC 7591), such as MCP clients.",
    input: {
      kind: "choice",
      options: [
        { value: "closed", label: "Closed" },
        { value: "token", label: "With a registration token" },
        { value: "open", label: "Open to any program" },
      ],
    },
  },
  GATEHOUSE_REGISTRATION_SCHEMES: {
    label: "Schemes of registered apps",
    about: "Private schemes that apps can register redirect URIs with themselves, separated by commas, or none. Users are asked each time.",
    input: text,
  },
  GATEHOUSE_CLIENT_METADATA_DOCUMENTS: {
    label: "Client metadata documents",
    about: "Whether a client can use the URL of a document about itself as its client id.",
    input: { kind: "choice", options: onOff },
  },

  GATEHOUSE_SMTP_URL: { label: "SMTP server", about: "Shown without its user and password.", input: text, empty: "None" },
  GATEHOUSE_MAIL_FROM: { label: "Sender", about: "Of every mail.", input: text, empty: "None" },
  GATEHOUSE_MAIL_BURST: {
    label: "Mails an hour",
    about: "How many mails strangers can cause in an hour, all together. Security notices don’t count.",
    input: text,
  },

  GATEHOUSE_DELIVERY_DAYS: {
    label: "Bodies of webhook deliveries",
    about: "How long what a provider sent can be looked at and run again. The record that it came stays longer.",
    input: { kind: "number", min: 1, max: 100, unit: "days" },
  },
  GATEHOUSE_DELIVERY_MAX_MB: {
    label: "Size of the webhook inbox",
    about: "Above about this size, the oldest bodies are deleted early.",
    input: { kind: "number", min: 10, max: 10_000_000, unit: "MB" },
  },
  GATEHOUSE_AUDIT_DAYS: {
    label: "Audit log",
    about: "How long its rows are kept. Deleting old ones leaves a checkpoint, so the rest still verifies.",
    input: { kind: "number", min: 30, max: 3_650, unit: "days" },
  },
};
