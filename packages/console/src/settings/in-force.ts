import type { Problem } from "../domain-error.ts";

/** The pages of settings that show values. */
export const SETTING_SECTIONS = ["general", "branding", "registration", "mail", "retention"] as const;
export type SettingSection = (typeof SETTING_SECTIONS)[number];

/** How a value is entered. What is entered is what the environment variable would have. */
export type SettingInput =
  | { kind: "text"; placeholder?: string | undefined; maxLength?: number | undefined }
  | { kind: "choice"; options: readonly SettingOption[] }
  | { kind: "colour" }
  | { kind: "number"; min: number; max: number; unit: string }
  | { kind: "names"; options: readonly SettingOption[] }
  /** A URL like `smtp://user@mail.example.com:587`. With a user and no password, the saved password stays. */
  | { kind: "smtp_server" };
export type SettingOption = { value: string; label: string };

/** How the console shows a setting. */
export type SettingWords = {
  section: SettingSection;
  /** The settings of a section by what they are about. */
  group: { title: string; text: string };
  label: string;
  /** What it does, and when one wants another value. */
  about: string;
  input: SettingInput;
  /** Shown for a setting without a value. */
  empty?: string | undefined;
};

/**
 * One setting of the installation, named by its environment variable. Values are written as the variable has them.
 * CO-67.
 */
export type SettingView = SettingWords & {
  variable: string;
  /** The value in force. Empty if there is none, and without passwords. */
  value: string;
  /** What holds if neither the environment nor the console sets it; null if it has to be set in the environment. */
  default: string | null;
  /** Where the value comes from. */
  source: "environment" | "console" | "default";
  /** Admins can change it while the server runs, unless the environment sets it. */
  changeable: boolean;
};

/** The settings of a running installation: what is in force, and how saved values are tried and applied. */
export type SettingsInForce = {
  list(): SettingView[];
  /** What is wrong with these values, in clear text, beside what the environment sets; `path` is the variable. */
  problemsWith(saved: Readonly<Record<string, string>>): Problem[];
  /** Applies what is saved to this process now. Other processes do so within two seconds. */
  load(): Promise<void>;
};
