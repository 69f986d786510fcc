import { type Config, ENVIRONMENTS, type Environment } from "@gatehouse/auth";
import {
  type ClientDraft,
  clientProblems,
  type Problem,
  passwordProblems,
  providerProblems,
  type ResourceDraft,
} from "@gatehouse/operations";
import type { z } from "zod";
import { type Manifest, type ManifestClient, manifest } from "./manifest.ts";

/** A file that cannot be applied, with everything that is wrong with it. Nothing has been written. */
export class ManifestError extends Error {
  override readonly name = "ManifestError";
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(`${problems.length} ${problems.length === 1 ? "problem" : "problems"}`);
    this.problems = problems;
  }
}

/** Reads a manifest and checks it against every rule that needs no database. Throws {@link ManifestError}. */
export function readManifest(text: string, config: Pick<Config, "scopes">): Manifest {
  const parsed = manifest.safeParse(parseJson(text));
  if (!parsed.success) throw new ManifestError(parsed.error.issues.flatMap(inWords));
  const problems = [
    ...resourceProblems(parsed.data),
    ...userProblems(parsed.data),
    ...applicationProblems(parsed.data, config),
    ...webhookProblems(parsed.data),
  ];
  if (problems.length > 0) throw new ManifestError(problems);
  return parsed.data;
}

/** A misspelt field is named where it stands; the rest zod says well enough. */
function inWords(issue: z.core.$ZodIssue): Problem[] {
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({ path: [...issue.path, key].join("."), message: "there is no such field" }));
  return [{ path: issue.path.join("."), message: issue.message }];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ManifestError([{ path: "", message: `this is not JSON: ${cause instanceof Error ? cause.message : ""}` }]);
  }
}

/** The clients of an application, with where they stand in the file. */
export function clientsOf(manifest: Manifest): { path: string; application: number; environment: Environment; client: ManifestClient }[] {
  return manifest.applications.flatMap(({ environments }, application) =>
    ENVIRONMENTS.flatMap((environment) => {
      const client = environments[environment];
      return client ? [{ path: `applications.${application}.environments.${environment}`, application, environment, client }] : [];
    }),
  );
}

export function toDraft(client: ManifestClient, environment: Environment): ClientDraft {
  return {
    environment,
    type: client.type,
    redirectUris: client.redirect_uris,
    postLogoutRedirectUris: client.post_logout_redirect_uris,
    grantTypes: client.grant_types,
    scopes: client.scopes,
    firstParty: client.first_party,
    resourceServer: client.resource_server,
    refreshRetrySeconds: client.refresh_retry_seconds,
    options: client.options,
  };
}

/** `options.jwksUri` is `jwks_uri` in the file. */
export function toResourceDraft(resource: Manifest["resources"][number]): ResourceDraft {
  const { token_format: tokenFormat, token_algorithm: tokenAlgorithm, attached_by: attachedBy, enabled: _, ...same } = resource;
  return { ...same, tokenFormat, tokenAlgorithm, attachedBy };
}

const toSnakeCase = (path: string) => path.replace(/^options\./, "").replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
export const below = (parent: string, problems: Problem[]) =>
  problems.map(({ path, message }) => ({ path: `${parent}.${toSnakeCase(path)}`, message }));

function resourceProblems({ resources }: Manifest): Problem[] {
  return twice(resources, "resources", "id");
}

function userProblems({ users }: Manifest): Problem[] {
  return [
    ...twice(users, "users", "email"),
    ...users.flatMap(({ email, password, reset_password }, at) => {
      if (password !== undefined) return below(`users.${at}`, passwordProblems(password, email));
      return reset_password ? [{ path: `users.${at}.password`, message: "is needed, since reset_password is true" }] : [];
    }),
  ];
}

function applicationProblems(manifest: Manifest, config: Pick<Config, "scopes">): Problem[] {
  const clients = clientsOf(manifest);
  const ids = clients.map(({ client }) => client.client_id);
  return [
    ...twice(manifest.applications, "applications", "name"),
    ...clients.flatMap(({ path, client, environment }) => below(path, clientProblems(toDraft(client, environment), config))),
    ...clients.flatMap(({ path, client }, at) =>
      client.client_id !== undefined && ids.indexOf(client.client_id) < at
        ? [{ path: `${path}.client_id`, message: "stands in this file twice" }]
        : [],
    ),
  ];
}

function webhookProblems({ webhooks }: Manifest): Problem[] {
  return [
    ...twice(webhooks, "webhooks", "provider"),
    ...webhooks.flatMap((webhook, at) => below(`webhooks.${at}`, providerProblems(webhook))),
  ];
}

function twice<Field extends string>(items: Record<Field, string>[], list: string, field: Field): Problem[] {
  const values = items.map((item) => item[field]);
  return values.flatMap((value, at) =>
    values.indexOf(value) < at ? [{ path: `${list}.${at}.${field}`, message: "stands in this file twice" }] : [],
  );
}
