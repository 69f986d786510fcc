import { existsSync, readFileSync, watch } from "node:fs";
import { basename, dirname } from "node:path";
import { withInstallation } from "@gatehouse/cli/installation";
import { operator } from "@gatehouse/cli/operator";
import { apply } from "@gatehouse/console/manifest/apply";
import { readManifest } from "@gatehouse/console/manifest/file/read-manifest";
import { readSettings } from "@gatehouse/installation";
import { withClientSecret } from "./client-secret.ts";

type Applied = Awaited<ReturnType<typeof apply>>;
/** A secret that was generated, and is shown nowhere else: of a client, or of the webhook endpoint that forwards. */
export type NewSecret = { secret: string } & ({ clientId: string } | { forwardingOf: string });

/**
 * Applies a configuration file to the database that `variables` name. The client of the product gets the secret in the
 * product's `.env.local`; what the file names `from_env` is read there as well. Returns what was made, and whether
 * anything changed. Throws ManifestError.
 */
export async function applyFile(
  file: string,
  variables: Readonly<Record<string, string | undefined>>,
  product: Readonly<Record<string, string>>,
): Promise<{ changed: boolean; secrets: readonly NewSecret[] }> {
  const settings = readSettings(variables, dirname(file));
  const variable = (name: string) => product[name] ?? "";
  const manifest = withClientSecret(readManifest(readFileSync(file, "utf8"), settings.config, variable), product);
  const applier = { author: { ...operator(), file: basename(file) }, variable, tell: () => {} };
  const applied = await withInstallation(settings, (deps) => apply(manifest, applier, deps), { create: true });
  return { changed: applied.changed, secrets: secretsOf(applied) };
}

function secretsOf({ applications, webhooks }: Applied): NewSecret[] {
  const forwarding = webhooks.flatMap(({ provider, endpoint = provider, forwarding_secret: secret }) =>
    secret === undefined ? [] : [{ forwardingOf: endpoint, secret }],
  );
  return [...secretsOfClients(applications), ...forwarding];
}

function secretsOfClients(applications: Applied["applications"]): NewSecret[] {
  return applications
    .flatMap(({ environments, clients = [] }) => [environments ?? {}, ...clients.map((client) => client.environments)])
    .flatMap((environments) => Object.values(environments))
    .flatMap(({ client_id: clientId, client_secret: secret }) => (secret === undefined ? [] : [{ clientId, secret }]));
}

/** Editors write a file in several steps, or put another one in its place. */
const SETTLE_MS = 100;

/** Calls `changed` when the content of the file has changed, and not while it is missing. Returns what ends that. */
export function followFile(file: string, changed: () => void): () => void {
  let last = contentOf(file);
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    const now = contentOf(file);
    if (now === undefined || now === last) return;
    last = now;
    changed();
  };
  const watcher = watch(dirname(file), (_, name) => {
    if (name !== null && name !== basename(file)) return;
    clearTimeout(timer);
    timer = setTimeout(look, SETTLE_MS);
  });
  return () => {
    clearTimeout(timer);
    watcher.close();
  };
}

const contentOf = (file: string) => (existsSync(file) ? readFileSync(file, "utf8") : undefined);
