import { configureSignInProvider, type OperationDeps, signInProviderChanges } from "@gatehouse/operations";
import { type Applier, type Change, type FieldChange, type Status, statusOf } from "../change.ts";
import { snakeCased } from "../export/entry.ts";
import { type ManifestProvider, toProviderFile } from "../manifest/provider.ts";

/** What the file changes about a sign-in provider. */
export async function providerChange(wanted: ManifestProvider, { variable }: Applier, deps: OperationDeps): Promise<Change> {
  const { known, changes } = await signInProviderChanges(toProviderFile(wanted, variable), deps);
  const fields = Object.entries(snakeCased(changes)).map(([field, change]) => ({ field, ...(change as Omit<FieldChange, "field">) }));
  return { kind: "sign_in_provider", name: wanted.id, action: known ? (fields.length > 0 ? "update" : "keep") : "create", fields };
}

export async function applySignInProvider(
  wanted: ManifestProvider,
  { author, variable }: Applier,
  deps: OperationDeps,
): Promise<{ id: string; status: Status }> {
  const { created, changed } = await configureSignInProvider(toProviderFile(wanted, variable), author, deps);
  const action = created ? "create" : changed ? "update" : "keep";
  return { id: wanted.id, status: statusOf({ kind: "sign_in_provider", name: wanted.id, action, fields: [] }) };
}
