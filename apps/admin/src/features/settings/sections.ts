/** The pages of the settings, in the order of their tabs; each is at `/settings/<value>`. CO-01. */
export const SETTINGS_SECTIONS = [
  { value: "general", label: "General" },
  { value: "branding", label: "Branding" },
  { value: "registration", label: "Registration" },
  { value: "mail", label: "Mail" },
  { value: "retention", label: "Retention" },
  { value: "api-tokens", label: "API tokens" },
  { value: "configuration", label: "Configuration" },
] as const;

export type SettingsSection = (typeof SETTINGS_SECTIONS)[number]["value"];
