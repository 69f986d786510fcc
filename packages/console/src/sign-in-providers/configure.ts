import { type SignInProvider, secretPurpose } from "@gatehouse/accounts";
import { listSignInProviders } from "@gatehouse/db/stores/accounts/sign-in-providers";
import { changedFields } from "../audit/entry.ts";
import type { OperationDeps } from "../deps.ts";
import type { Problem } from "../domain-error.ts";
import type { Author } from "../permissions.ts";
import {
  createSignInProvider,
  normalised,
  type SignInProviderDraft,
  setSignInProviderEnabled,
  updateSignInProvider,
} from "./providers.ts";
import { providerProblems, redirectedSecretProblems, settingsProblems } from "./rules.ts";

/** A provider as a file describes it: all of it. `secret`: undefined leaves the stored one. */
export type SignInProviderFile = Omit<SignInProviderDraft, "secret"> & {
  secret: string | undefined;
  enabled?: boolean | undefined;
};

type Part = Pick<OperationDeps, "db" | "reads" | "now" | "random" | "seal" | "config">;

/** Every problem with a provider of a file. Writes nothing. */
export async function signInProviderFileProblems(
  file: SignInProviderFile,
  deps: Pick<Part, "db" | "config">,
): Promise<Problem[]> {
  const rows = await listSignInProviders(deps.db);
  const known = rows.find(({ id }) => id === file.id);
  if (known && known.preset !== file.preset)
    return [
      {
        path: "preset",
        message: `is ${known.preset} in this installation; a preset cannot be changed. Remove the provider first`,
      },
    ];
  const plan = known ? file : { ...file, secret: file.secret ?? null };
  const redirected = known ? redirectedSecretProblems(known, file) : [];
  return [...settingsProblems(file.settings), ...redirected, ...providerProblems(plan, rows, deps)];
}

/** What {@link configureSignInProvider} would change, by column, without changing it; the secret never as a value. */
export async function signInProviderChanges(
  file: SignInProviderFile,
  deps: Part,
): Promise<{ known: boolean; changes: ReturnType<typeof changedFields> }> {
  const known = (await listSignInProviders(deps.db)).find(({ id }) => id === file.id);
  const { id: _, preset: __, enabled, secret, settings, ...rest } = file;
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  const wanted = { ...given, settings: normalised(settings), ...(enabled !== undefined && { enabled }) };
  const written = known ? writtenSecret(known, file, deps) !== undefined : secret !== undefined;
  const secretChange = written ? { secret: { before: null, after: known ? "changed" : "added" } } : {};
  return { known: known !== undefined, changes: { ...changedFields(known ?? {}, wanted), ...secretChange } };
}

/**
 * Adds a provider, or changes what differs. Throws what {@link createSignInProvider} and {@link updateSignInProvider}
 * throw.
 */
export async function configureSignInProvider(
  { enabled, secret, ...wanted }: SignInProviderFile,
  actor: Author,
  deps: Part,
): Promise<{ created: boolean; changed: boolean }> {
  const known = (await listSignInProviders(deps.db)).find(({ id }) => id === wanted.id);
  const before = known ?? (await createSignInProvider({ ...wanted, secret: secret ?? null }, actor, deps));
  const edited = known !== undefined && (await change(known, { ...wanted, secret }, actor, deps));
  const switched = enabled !== undefined && enabled !== before.enabled;
  if (switched) await setSignInProviderEnabled({ id: wanted.id, enabled }, actor, deps);
  return { created: known === undefined, changed: edited || switched };
}

async function change(known: SignInProvider, file: SignInProviderFile, actor: Author, deps: Part): Promise<boolean> {
  const { preset: _, enabled: __, secret: ___, ...edit } = file;
  const secret = writtenSecret(known, file, deps);
  const after = await updateSignInProvider(secret === undefined ? edit : { ...edit, secret }, actor, deps);
  const { name, issuer, clientId, settings, position } = after;
  return (
    secret !== undefined || Object.keys(changedFields(known, { name, issuer, clientId, settings, position })).length > 0
  );
}

/** The file's secret, unless it is the stored one: another issuer needs it again. */
function writtenSecret(
  known: SignInProvider,
  { issuer, secret }: SignInProviderFile,
  { seal }: Pick<Part, "seal">,
): string | undefined {
  const stored = known.secret === null ? undefined : seal.open(secretPurpose(known.id), known.secret);
  return secret !== undefined && (issuer !== known.issuer || secret !== stored) ? secret : undefined;
}
