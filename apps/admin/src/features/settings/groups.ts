/** The settings of a section by what they are about. A variable that no group names is not shown. */
export const SETTING_GROUPS: Readonly<Record<string, readonly { title: string; text: string; variables: readonly string[] }[]>> = {
  general: [
    { title: "Language", text: "Of pages and mails.", variables: ["GATEHOUSE_DEFAULT_LOCALE"] },
    {
      title: "Console sessions",
      text: "How long admins, developers and viewers stay signed in to this console.",
      variables: ["GATEHOUSE_CONSOLE_IDLE_HOURS", "GATEHOUSE_CONSOLE_SESSION_DAYS"],
    },
    {
      title: "This server",
      text: "Set in the environment, and in force after a restart.",
      variables: ["GATEHOUSE_ISSUER", "GATEHOUSE_ADMIN_URL", "DATABASE_URL", "GATEHOUSE_API_TOKEN_FORMAT"],
    },
  ],
  branding: [
    {
      title: "Name and colour",
      text: "On every page that users see, and in every mail. The icon of the browser’s tab is part of your build.",
      variables: ["GATEHOUSE_PRODUCT_NAME", "GATEHOUSE_BRAND_COLOUR"],
    },
    {
      title: "Links",
      text: "At the foot of the pages.",
      variables: ["GATEHOUSE_TERMS_URL", "GATEHOUSE_PRIVACY_URL", "GATEHOUSE_SUPPORT_URL"],
    },
  ],
  registration: [
    {
      title: "Accounts",
      text: "Who gets an account, and how.",
      variables: ["GATEHOUSE_SIGN_UP", "GATEHOUSE_SIGN_UP_DOMAINS", "GATEHOUSE_EMAIL_VERIFICATION", "GATEHOUSE_DELETION_GRACE_DAYS"],
    },
    {
      title: "Sign-in",
      text: "What a sign-in takes.",
      variables: [
        "GATEHOUSE_MFA",
        "GATEHOUSE_MFA_ROLES",
        "GATEHOUSE_EMAIL_SIGN_IN",
        "GATEHOUSE_PASSWORD_MIN_LENGTH",
        "GATEHOUSE_BREACH_CHECK",
      ],
    },
    {
      title: "Clients that register themselves",
      text: "Users see a warning before they allow one. Blocks and registration tokens are on the page Self-registered.",
      variables: ["GATEHOUSE_REGISTRATION", "GATEHOUSE_REGISTRATION_SCHEMES", "GATEHOUSE_CLIENT_METADATA_DOCUMENTS"],
    },
  ],
  mail: [
    {
      title: "Delivery",
      text: "Set in the environment, and in force after a restart.",
      variables: ["GATEHOUSE_SMTP_URL", "GATEHOUSE_MAIL_FROM", "GATEHOUSE_MAIL_BURST"],
    },
  ],
  retention: [
    { title: "Webhook inbox", text: "Cleaned up every ten minutes.", variables: ["GATEHOUSE_DELIVERY_DAYS", "GATEHOUSE_DELIVERY_MAX_MB"] },
    { title: "Audit log", text: "Cleaned up once a day.", variables: ["GATEHOUSE_AUDIT_DAYS"] },
  ],
};
