import type { Seal } from "@gatehouse/auth";
import { findLogoVersion } from "@gatehouse/console/branding/installation-logo-queries";
import type { Problem } from "@gatehouse/console/domain-error";
import type { SettingsInForce, SettingView } from "@gatehouse/console/settings/in-force";
import { findSavedSettings, type SavedSettings } from "@gatehouse/console/settings/queries";
import { openValues } from "@gatehouse/console/settings/sealed";
import type { Db } from "@gatehouse/db/query/db";
import type { Log } from "../log.ts";
import { SettingsError, type SettingsProblem } from "./error.ts";
import { readSettings, type Settings } from "./settings.ts";
import { SHOWN_SETTINGS } from "./table.ts";

const FOLLOW_EVERY_MS = 2_000;

/**
 * The settings of a running installation. What the environment sets stays; the rest follows what admins save. CO-67.
 */
export type LiveSettings = SettingsInForce & {
  /** The settings in force. A change replaces the whole value: read it at each use, or subscribe. A copy goes stale. */
  readonly current: Settings;
  /**
   * Calls `apply` with the settings of each later change, in the order of subscription. `load` waits for all of them.
   */
  subscribe(apply: (settings: Settings) => Promise<void> | void): void;
  /** Loads what is saved now, and again every two seconds. Throws SettingsError as `load` does the first time. */
  follow(): Promise<void>;
  stop(): void;
};

/** Starts with the settings of the environment; the first `load` adds what is saved, and the logo. */
export function createLiveSettings(
  environment: Settings,
  { db, seal, log }: { db: Db; seal: Seal; log: Log },
): LiveSettings {
  const { variables, workingDirectory } = environment.source;
  const subscribers: ((settings: Settings) => Promise<void> | void)[] = [];
  let current = environment;
  let saved: SavedSettings = { values: {}, version: 0 };
  let timer: ReturnType<typeof setInterval> | undefined;

  const readWith = (values: Readonly<Record<string, string>>) =>
    readSettings({ ...changeableOnly(values), ...variables }, workingDirectory);

  async function load(): Promise<void> {
    const [found, logo] = [await findSavedSettings(db), await findLogoVersion(db)];
    if (found.version === saved.version && logo.version === current.brand.version) return;
    const { values, unreadable } = openValues(found.values, seal);
    if (unreadable.length > 0)
      log.error({ unreadable }, "saved settings cannot be decrypted with this GATEHOUSE_SECRET; enter them again");
    const problems = problemsWith(values);
    if (problems.length > 0) throw misfit(problems);
    const settings = readWith(values);
    current = { ...settings, brand: { ...settings.brand, ...logo } };
    saved = { values, version: found.version };
    for (const apply of subscribers) await apply(current);
  }

  function problemsWith(values: Readonly<Record<string, string>>): Problem[] {
    try {
      readWith(values);
      return [];
    } catch (error) {
      return problemsOf(error, values);
    }
  }

  function defaultOf(variable: string, show: (settings: Settings) => string): string | null {
    const { [variable]: _, ...others } = { ...changeableOnly(saved.values), ...variables };
    try {
      return show(readSettings(others, workingDirectory));
    } catch {
      return null; // required, or others need it
    }
  }

  return {
    get current() {
      return current;
    },
    subscribe: (apply) => void subscribers.push(apply),
    load,
    problemsWith,
    list: () =>
      SHOWN_SETTINGS.map(({ show, changeable = false, ...words }) => {
        const { variable } = words;
        const source =
          variable in variables ? "environment" : changeable && variable in saved.values ? "console" : "default";
        return {
          ...words,
          changeable,
          source,
          value: show(current),
          default: defaultOf(variable, show),
        } satisfies SettingView;
      }),
    async follow() {
      await load();
      timer ??= setInterval(() => {
        load().catch((error: unknown) =>
          log.error({ err: error }, "the saved settings could not be applied; those in force stay"),
        );
      }, FOLLOW_EVERY_MS).unref();
    },
    stop: () => clearInterval(timer),
  };
}

const changeableNames = new Set(SHOWN_SETTINGS.filter(({ changeable }) => changeable).map(({ variable }) => variable));

/** An older or newer version may have saved others. */
const changeableOnly = (values: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(values).filter(([variable]) => changeableNames.has(variable)));

/** A problem of a variable that admins cannot change is told at the saved one that its message mentions. */
function problemsOf(error: unknown, values: Readonly<Record<string, string>>): Problem[] {
  const problems = error instanceof SettingsError ? error.problems : [problemOf(error)];
  return problems.map(({ variable, message }) => {
    const saved = Object.keys(values).find((name) => message.includes(name));
    return { path: changeableNames.has(variable) ? variable : (saved ?? variable), message };
  });
}

/** Other errors begin with the name of a variable. */
function problemOf(error: unknown): SettingsProblem {
  const message = error instanceof Error ? error.message : String(error);
  return { variable: /^\w+/.exec(message)?.[0] ?? "", message };
}

function misfit(problems: readonly Problem[]): SettingsError {
  const named = problems.map(({ path, message }) => ({ variable: path, message }));
  const error = new SettingsError(named);
  error.message = `Settings saved in the console do not fit this server's environment: ${error.message}. An environment variable replaces a saved value.`;
  return error;
}
