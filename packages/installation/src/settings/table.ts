import { ACCOUNTS } from "./accounts.ts";
import { API } from "./api.ts";
import { BACKUPS } from "./backups.ts";
import { BRANDING } from "./branding.ts";
import { CONSOLE } from "./console.ts";
import { DATABASE } from "./database.ts";
import { JOBS } from "./jobs.ts";
import { MAIL } from "./mail.ts";
import { PASSKEYS } from "./passkeys.ts";
import { PASSWORDS } from "./passwords.ts";
import { PROCESSES } from "./process.ts";
import { REGISTRATION } from "./registration.ts";
import { RETENTION } from "./retention.ts";
import { SERVER } from "./server.ts";
import type { Setting, SettingsTable } from "./setting.ts";
import type { Settings } from "./settings.ts";
import { TRACES } from "./traces.ts";

/** Every setting, by what it is about, in the order of docs/configuration.md and .env.example. */
export const SETTING_TABLES: readonly { title: string; table: SettingsTable<Settings> }[] = [
  { title: "Server", table: SERVER },
  { title: "Database", table: DATABASE },
  { title: "Backups", table: BACKUPS },
  { title: "Built-in API", table: API },
  { title: "Languages and the console", table: CONSOLE },
  { title: "Branding", table: BRANDING },
  { title: "Accounts", table: ACCOUNTS },
  { title: "Passkeys", table: PASSKEYS },
  { title: "Passwords", table: PASSWORDS },
  { title: "Clients that register themselves", table: REGISTRATION },
  { title: "Mail", table: MAIL },
  { title: "What is kept", table: RETENTION },
  { title: "Jobs and webhook handlers", table: JOBS },
  { title: "Processes", table: PROCESSES },
  { title: "Traces", table: TRACES },
];

/** The names of their variables. */
export const settingNames: readonly string[] = SETTING_TABLES.flatMap(({ table }) => Object.keys(table));

type ShownSetting = { variable: string } & NonNullable<Setting<Settings>["console"]>;

/** The settings that the console shows. On each page, those that admins can change come first. CO-67. */
export const SHOWN_SETTINGS: readonly ShownSetting[] = SETTING_TABLES.flatMap(({ table }) =>
  Object.entries(table).flatMap(([variable, { console: shown }]) => (shown ? [{ variable, ...shown }] : [])),
).toSorted((a, b) => Number(b.changeable ?? false) - Number(a.changeable ?? false));
