import { changedMeanwhile } from "../audit/conflict.ts";
import { auditWrite, changedFields } from "../audit/entry.ts";
import type { OperationDeps } from "../deps.ts";
import { DomainError, invalid } from "../domain-error.ts";
import type { Author } from "../permissions.ts";
import type { SettingsInForce, SettingView } from "./in-force.ts";
import { findSavedSettings, saveSettings } from "./queries.ts";
import { changedPasswords, openValues, sealValues, shownValues, withKeptPasswords } from "./sealed.ts";

type Part = Pick<OperationDeps, "db" | "now" | "random" | "seal" | "settings">;

/** Under this id the audit log has changes of settings. */
export const SETTINGS_OBJECT = "settings";

/**
 * What is in force in this process, and the version that a change has to name. Throws `not_found` where settings are
 * fixed. CO-67.
 */
export async function listSettings(deps: Part): Promise<{ settings: SettingView[]; version: number }> {
  const inForce = required(deps);
  const { version } = await findSavedSettings(deps.db);
  return { settings: inForce.list(), version };
}

/**
 * Saves settings; null takes one back to its default. They apply in this process when this returns, and in all others
 * within two seconds. A password that is left out of a URL stays, unless it would go to another server or user. Throws `invalid` for a value that does not fit, or that only the environment can set, and
 * `conflict` if settings were saved since `version`. CO-67.
 */
export async function changeSettings(
  { values, version }: { values: Readonly<Record<string, string | null>>; version: number },
  author: Author,
  deps: Part,
): Promise<void> {
  const inForce = required(deps);
  const known = new Map(inForce.list().map((setting) => [setting.variable, setting]));
  const fixed = Object.keys(values).flatMap((variable) => fixedProblem(variable, known.get(variable)));
  if (fixed.length > 0) throw invalid(fixed);

  const found = await findSavedSettings(deps.db);
  const saved = openValues(found.values, deps.seal).values;
  const conflict = async () => {
    const now = await findSavedSettings(deps.db);
    const theirs = shownValues(valuesOf(Object.keys(values), openValues(now.values, deps.seal).values));
    return changedMeanwhile({ object: SETTINGS_OBJECT, theirs, version: now.version }, deps);
  };
  if (found.version !== version) throw await conflict();
  const entered = withKeptPasswords(values, saved);
  if (entered.problems.length > 0) throw invalid(entered.problems);
  const next = Object.fromEntries(
    Object.entries({ ...saved, ...entered.values }).filter((entry): entry is [string, string] => entry[1] !== null),
  );
  const problems = inForce.problemsWith(next);
  if (problems.length > 0) throw invalid(problems);
  const before = shownValues(valuesOf(Object.keys(values), saved));
  const changes = {
    ...changedFields(before, shownValues(entered.values)),
    ...changedPasswords(saved, entered.values),
  };
  if (Object.keys(changes).length === 0) return;
  const entry = {
    action: "settings.update" as const,
    object: SETTINGS_OBJECT,
    objectName: "Settings",
    detail: { changes },
  };
  const sealed = sealValues(next, deps.seal);
  if (!(await saveSettings(deps.db, sealed, { version, also: [auditWrite(author, entry, deps)] })))
    throw await conflict();
  await inForce.load();
}

/** The values of these variables; null for one that is not saved. */
function valuesOf(variables: readonly string[], saved: Readonly<Record<string, string>>) {
  return Object.fromEntries(variables.map((variable) => [variable, saved[variable] ?? null]));
}

function fixedProblem(path: string, setting: SettingView | undefined) {
  if (!setting?.changeable)
    return [{ path, message: "cannot be changed here: set the environment variable and restart the server" }];
  if (setting.source === "environment")
    return [{ path, message: `is set by ${path}, which wins: change or remove that variable` }];
  return [];
}

function required({ settings }: Part): SettingsInForce {
  if (settings) return settings;
  throw new DomainError("not_found", "The settings of this server are fixed.");
}
