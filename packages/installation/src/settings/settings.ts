import { resolve } from "node:path";
import type { AccountSettings } from "@gatehouse/accounts";
import type { ConsoleConfig } from "@gatehouse/console/deps";
import { LOCALES } from "@gatehouse/languages";
import { scopes } from "@gatehouse/product";
import { rootFolder } from "@gatehouse/runtime/distribution";
import { z } from "zod";
import { accountSettings, accountVariables, levelSettings } from "./accounts.ts";
import { apiSettings, apiVariables } from "./api.ts";
import { type BackupSettings, backupSettings, backupVariables } from "./backups.ts";
import { type BrandSettings, brandDefaults, brandVariables } from "./branding.ts";
import { type ConsoleSettings, consoleSettings, consoleVariables } from "./console.ts";
import { type DatabaseSettings, databasePlace, databaseSettings, databaseVariables } from "./database.ts";
import { readAll, SettingsError } from "./error.ts";
import { type JobSettings, jobSettings, jobVariables } from "./jobs.ts";
import { type MailSettings, mailSettings, mailVariables } from "./mail.ts";
import { type PasswordSettings, passwordSettings, passwordVariables } from "./passwords.ts";
import { type ProcessSettings, processSettings, processVariables } from "./process.ts";
import { registrationSettings, registrationVariables } from "./registration.ts";
import { type RetentionSettings, retentionSettings, retentionVariables } from "./retention.ts";
import { addressesOf, type ServerSettings, serverSettings, serverVariables } from "./server.ts";
import { type TraceSettings, traceSettings, traceVariables } from "./traces.ts";

/** The settings of an installation, from its environment variables. */
export type Settings = ServerSettings &
  DatabaseSettings &
  ConsoleSettings &
  BrandSettings &
  RetentionSettings &
  JobSettings & {
    /** The variables that were set, from which these settings can be read again with others. */
    source: { variables: Readonly<Record<string, string>>; workingDirectory: string };
    backups: BackupSettings;
    config: ConsoleConfig;
    accounts: AccountSettings;
    passwords: PasswordSettings;
    mail: MailSettings;
    process: ProcessSettings;
    /** Undefined: nothing is traced. */
    traces: TraceSettings | undefined;
  };

const schema = z.object({
  ...serverVariables,
  ...databaseVariables,
  ...backupVariables,
  ...apiVariables,
  ...consoleVariables,
  ...brandVariables,
  ...accountVariables,
  ...passwordVariables,
  ...registrationVariables,
  ...mailVariables,
  ...retentionVariables,
  ...jobVariables,
  ...processVariables,
  ...traceVariables,
});

/**
 * Reads the settings from environment variables; an empty variable counts as not set. Relative paths are relative to
 * the repository's root, wherever the process was started. Generates the secret file if there is no secret and the
 * issuer is http on loopback. Throws one SettingsError that names every invalid variable. OP-11
 */
export function readSettings(variables: Record<string, string | undefined>, workingDirectory: string): Settings {
  const set = Object.fromEntries(Object.entries(variables).flatMap(([name, value]) => (value ? [[name, value]] : [])));
  const parsed = schema.safeParse(set);
  if (!parsed.success)
    throw new SettingsError(parsed.error.issues.map(({ path, message }) => ({ variable: path.join("."), message })));

  const given = parsed.data;
  const root = rootFolder(workingDirectory);
  const { issuer, adminUrl } = addressesOf(given);
  const databaseUrl = databasePlace(variables, workingDirectory).url;
  const { server, database, backups, mail, passwords, processes, traces } = readAll({
    server: () => serverSettings(given, root),
    database: () => databaseSettings(given, { databaseUrl }),
    backups: () =>
      backupSettings(given, {
        root,
        dataDir: resolve(root, given.GATEHOUSE_DATA_DIR),
        onSqlite: databaseUrl.startsWith("file:"),
      }),
    mail: () => mailSettings(given, issuer),
    passwords: () =>
      passwordSettings(given, {
        mfaRequired: given.GATEHOUSE_MFA === "required",
        workers: given.WEB_CONCURRENCY,
        root,
      }),
    processes: () => processSettings(given, issuer, root),
    traces: () => traceSettings(given),
  });
  const languageAndConsole = consoleSettings(given);
  const productName = given.GATEHOUSE_PRODUCT_NAME;
  return {
    source: { variables: set, workingDirectory },
    config: {
      issuer,
      resource: `${issuer}/api`,
      scopes,
      ...apiSettings(given),
      ...registrationSettings(given),
      uiLocales: LOCALES,
      consoleCallback: `${adminUrl}/try/callback`,
      ...levelSettings(given, issuer),
    },
    ...server,
    ...database,
    backups,
    ...languageAndConsole,
    productName,
    brand: brandDefaults(given),
    ...retentionSettings(given),
    ...jobSettings(given),
    process: processes,
    traces,
    passwords,
    mail,
    accounts: accountSettings(given, {
      issuer,
      productName,
      defaultLocale: languageAndConsole.defaultLocale,
      delivery: mail.delivery,
    }),
  };
}
