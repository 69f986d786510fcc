import { listResources } from "@gatehouse/db/stores/auth/api-resources";
import { findApplicationByName } from "../applications/queries.ts";
import { isBuiltInClient } from "../clients/built-in-clients.ts";
import { clientNameOf, clientNames } from "../clients/names.ts";
import { type ClientRow, findClientRow, listClientRows } from "../clients/queries.ts";
import { secretStatus } from "../clients/secrets.ts";
import type { OperationDeps } from "../deps.ts";
import type { Problem } from "../domain-error.ts";
import { usedClientIdProblem } from "../removed/removed-clients.ts";
import { apiResourceProblems, clientResourceProblems, type ResourceDraft } from "../resources/rules.ts";
import { signInProviderFileProblems } from "../sign-in-providers/configure.ts";
import { storedEndpointProblems } from "../webhook-endpoints/configure.ts";
import type { Applier } from "./change.ts";
import type { Manifest, ManifestClient } from "./file/manifest.ts";
import { ManifestError } from "./file/manifest-error.ts";
import { inFile, secretProblems, toProviderFile } from "./file/provider.ts";
import { below, clientsOf, toDraft, toEndpointFile, toResourceDraft } from "./file/read-manifest.ts";
import { userProblems } from "./kinds/users.ts";

/** Throws {@link ManifestError} with everything in the file that this installation cannot apply. Writes nothing. */
export async function assertApplicable(
  manifest: Manifest,
  { variable }: Pick<Applier, "variable">,
  deps: Pick<OperationDeps, "db" | "now" | "config" | "hasher">,
): Promise<void> {
  const resources = await resourcesAfterwards(manifest, deps);
  const problems = [
    ...registryProblems(manifest, resources, deps),
    ...(await userProblems(manifest, deps)),
    ...(await ownerProblems(manifest, deps)),
  ];
  for (const { path, application, name, environment, client } of clientsOf(manifest)) {
    const known = await findApplicationByName(deps.db, manifest.applications[application]?.name ?? "");
    const rows = known ? await listClientRows(deps.db, known.id) : [];
    const several = name === undefined && clientNames(rows).length > 1;
    if (several) {
      const message = `the application has several clients (${clientNames(rows).join(", ")}). List them under "clients", with their names`;
      problems.push({ path: `applications.${application}.environments`, message });
      continue;
    }
    const row = rows.find((one) => one.environment === environment && one.name === clientNameOf(name, rows));
    const misfits = clientResourceProblems(toDraft(client, environment), resources, deps.config);
    problems.push(...below(path, misfits));
    const found = row ? await changeProblems(row, client, deps) : await additionProblems(client, deps);
    problems.push(...found.map((problem) => ({ ...problem, path: `${path}.${problem.path}` })));
  }
  for (const [at, webhook] of manifest.webhooks.entries()) {
    problems.push(...below(`webhooks.${at}`, await storedEndpointProblems(toEndpointFile(webhook), deps)));
  }
  for (const [at, provider] of manifest.sign_in_providers.entries()) {
    const found = await signInProviderFileProblems(toProviderFile(provider, variable), deps);
    problems.push(
      ...[...secretProblems(provider, variable), ...found.map(inFile)].map((one) => ({
        ...one,
        path: `sign_in_providers.${at}.${one.path}`,
      })),
    );
  }
  if (problems.length > 0) throw new ManifestError(problems);
}

/** The API resources as they will be once the file is applied. */
async function resourcesAfterwards(manifest: Manifest, { db }: Pick<OperationDeps, "db">): Promise<ResourceDraft[]> {
  const wanted = manifest.resources.map(toResourceDraft);
  const kept = (await listResources(db)).filter(({ id }) => !wanted.some((resource) => resource.id === id));
  return [...wanted, ...kept];
}

function registryProblems(
  manifest: Manifest,
  resources: readonly ResourceDraft[],
  { config }: Pick<OperationDeps, "config">,
): Problem[] {
  return manifest.resources.flatMap((resource, at) => {
    const others = resources.filter(({ id }) => id !== resource.id);
    return below(`resources.${at}`, apiResourceProblems(toResourceDraft(resource), others, config));
  });
}

/** Applications that are not the team's: a file with their name would change a client that somebody else controls. */
async function ownerProblems({ applications }: Manifest, { db }: Pick<OperationDeps, "db">): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const [at, { name }] of applications.entries()) {
    const known = await findApplicationByName(db, name);
    const rows = known ? await listClientRows(db, known.id) : [];
    const path = `applications.${at}.name`;
    if (rows.some(({ id }) => isBuiltInClient(id)))
      problems.push({ path, message: "belongs to Gatehouse itself. Use another name" });
    else if (rows.some(({ origin }) => origin !== "registered"))
      problems.push({ path, message: "is the name of an application that registered itself. Use another name" });
  }
  return problems;
}

async function additionProblems(
  { client_id }: ManifestClient,
  deps: Pick<OperationDeps, "db" | "now">,
): Promise<Problem[]> {
  if (client_id === undefined) return [];
  const owner = await findClientRow(deps.db, client_id);
  const used = owner ? undefined : await usedClientIdProblem(client_id, deps);
  if (used !== undefined) return [{ path: "client_id", message: used }];
  if (!owner) return [];
  return [
    {
      path: "client_id",
      message: `is already used by the client ${owner.name} of ${owner.applicationName} in ${owner.environment}`,
    },
  ];
}

async function changeProblems(
  row: ClientRow,
  wanted: ManifestClient,
  deps: Pick<OperationDeps, "db" | "now">,
): Promise<Problem[]> {
  const problems: Problem[] = [];
  if (wanted.client_id !== undefined && wanted.client_id !== row.id)
    problems.push({ path: "client_id", message: `is ${row.id} in this installation; a client id cannot be changed` });
  if (wanted.type !== row.type)
    problems.push({
      path: "type",
      message: `is ${row.type} in this installation; a type cannot be changed. Remove the client first`,
    });
  if (wanted.client_secret !== undefined) {
    const status = await secretStatus(row.id, wanted.client_secret, deps);
    if (status === "ended")
      problems.push({ path: "client_secret", message: "was retired or has expired. Use a new one" });
    if (status === "no_room")
      problems.push({
        path: "client_secret",
        message: "the client already has two active secrets. Retire one in the console first",
      });
  }
  return problems;
}
