import type { OperationDeps } from "../../deps.ts";
import { configureSignInProvider, signInProviderChanges } from "../../sign-in-providers/configure.ts";
import {
  type Applier,
  type Change,
  changeOf,
  type FieldChange,
  type LiveChanges,
  type Status,
  statusOf,
} from "../change.ts";
import { type Entry, noneOf, snakeCased, stated } from "../export/entry.ts";
import { type ManifestProvider, toProviderFile } from "../file/provider.ts";

/** What the file states about a sign-in provider, besides its secret. */
export function providerSettings({ id: _, client_secret_env: __, ...wanted }: ManifestProvider): Entry {
  return stated(wanted);
}

/** What the file changes about a sign-in provider. */
export async function providerChange(
  wanted: ManifestProvider,
  { variable }: Pick<Applier, "variable">,
  deps: OperationDeps,
): Promise<Change> {
  const { known, changes } = await signInProviderChanges(toProviderFile(wanted, variable), deps);
  const fields = fieldsOf(changes);
  return {
    kind: "sign_in_provider",
    name: wanted.id,
    action: known ? (fields.length > 0 ? "update" : "keep") : "create",
    fields,
  };
}

type Changes = Awaited<ReturnType<typeof signInProviderChanges>>["changes"];

/** By the file's names: what is one column here are several members of the file. */
function fieldsOf({ settings, ...columns }: Changes): FieldChange[] {
  const named = Object.entries(snakeCased(columns)).map(([field, change]) => ({
    field,
    ...(change as Omit<FieldChange, "field">),
  }));
  if (settings === undefined) return named;
  const [before, after] = [Object(settings.before), Object(settings.after)];
  const { fields } = changeOf({ kind: "sign_in_provider", name: "" }, before, { ...noneOf(before), ...after });
  // Another order of a list is a change too, of no member.
  return [...named, ...(fields.length > 0 ? fields : [{ field: "settings", ...settings }])];
}

/** What applying them again would change about sign-in providers, besides their secrets. */
export const providerDrift: LiveChanges = (rows, deps) =>
  Promise.all(
    rows.map(async ({ object, settings }) => {
      // As `providerSettings` wrote it.
      const change = await providerChange(
        { ...settings, id: object } as ManifestProvider,
        { variable: () => "" },
        deps,
      );
      return change.action === "create" ? undefined : change;
    }),
  );

export async function applySignInProvider(
  wanted: ManifestProvider,
  { author, variable }: Applier,
  deps: OperationDeps,
): Promise<{ id: string; status: Status }> {
  const { created, changed } = await configureSignInProvider(toProviderFile(wanted, variable), author, deps);
  const action = created ? "create" : changed ? "update" : "keep";
  return { id: wanted.id, status: statusOf({ kind: "sign_in_provider", name: wanted.id, action, fields: [] }) };
}
