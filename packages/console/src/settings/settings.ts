import { changedMeanwhile } from "../audit/conflict.ts";
import { auditWrite, changedFields } from "../audit/entry.ts";
import type { OperationDeps } from "../deps.ts";
import { DomainError, invalid } from "../domain-error.ts";
import type { Author } from "../permissions.ts";
import type { SettingsInForce, SettingView } from "./in-force.ts";
import { findSavedSettings, saveSettings } from "./queries.ts";

type Part = Pick<OperationDeps, "db" | "now" | "random" | "settings">;

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
 * within two seconds. Throws `invalid` for a value that does not fit, or that only the environment can set, and
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

  const saved = await findSavedSettings(deps.db);
  const conflict = async () => {
    const now = await findSavedSettings(deps.db);
    const theirs = Object.fromEntries(Object.keys(values).map((variable) => [variable, now.values[variable] ?? null]));
    return changedMeanwhile({ object: SETTINGS_OBJECT, theirs, version: now.version }, deps);
  };
  if (saved.version !== version) throw await conflict();
  const next = Object.fromEntries(
    Object.entries({ ...saved.values, ...values }).filter((entry): entry is [string, string] => entry[1] !== null),
  );
  const problems = inForce.problemsWith(next);
  if (problems.length > 0) throw invalid(problems);
  const before = Object.fromEntries(Object.keys(values).map((variable) => [variable, saved.values[variable] ?? null]));
  const changes = changedFields(before, values);
  if (Object.keys(changes).length === 0) return;
  const entry = {
    action: "settings.update" as const,
    object: SETTINGS_OBJECT,
    objectName: "Settings",
    detail: { changes },
  };
  if (!(await saveSettings(deps.db, next, { version, also: [auditWrite(author, entry, deps)] })))
    throw await conflict();
  await inForce.load();
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
