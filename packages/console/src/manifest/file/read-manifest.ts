import { type Config, ENVIRONMENTS, type Environment } from "@gatehouse/auth";
import type { z } from "zod";
import { type ClientDraft, clientProblems } from "../../clients/rules.ts";
import type { Problem } from "../../domain-error.ts";
import type { ResourceDraft } from "../../resources/rules.ts";
import { operatorPasswordErrors } from "../../users/password.ts";
import { type EndpointFile, endpointFileProblems } from "../../webhook-endpoints/configure.ts";
import { type Manifest, type ManifestClient, manifest } from "./manifest.ts";
import { ManifestError } from "./manifest-error.ts";
import { withVariables } from "./variables.ts";

/**
 * Reads a manifest and checks it against every rule that needs no database. `variable`: the value of an environment
 * variable that the file names; empty when it is not set. Throws {@link ManifestError}.
 */
export function readManifest(
  text: string,
  config: Pick<Config, "scopes">,
  variable: (name: string) => string,
): Manifest {
  const { file, problems: missing } = withVariables(parseJson(text), variable);
  if (missing.length > 0) throw new ManifestError(missing);
  const parsed = manifest.safeParse(file);
  if (!parsed.success) throw new ManifestError(parsed.error.issues.flatMap(problemsOf));
  const problems = [
    ...resourceProblems(parsed.data),
    ...userProblems(parsed.data),
    ...applicationProblems(parsed.data, config),
    ...webhookProblems(parsed.data),
  ];
  if (problems.length > 0) throw new ManifestError(problems);
  return parsed.data;
}

/** Unknown fields get a problem each, with their full path. */
function problemsOf(issue: z.core.$ZodIssue): Problem[] {
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({ path: [...issue.path, key].join("."), message: "is not a known field" }));
  return [{ path: issue.path.join("."), message: issue.message }];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ManifestError([
      { path: "", message: `the file is not JSON: ${cause instanceof Error ? cause.message : ""}` },
    ]);
  }
}

export type ListedClient = {
  path: string;
  application: number;
  /** Left out for the only client of an application. */
  name?: string;
  environment: Environment;
  client: ManifestClient;
};

/** Every client in the file, once for each of its environments. */
export function clientsOf(manifest: Manifest): ListedClient[] {
  return manifest.applications.flatMap(({ environments = {}, clients = [] }, application) => {
    const parent = `applications.${application}`;
    const lists = [
      { parent, environments },
      ...clients.map(({ name, environments }, at) => ({ parent: `${parent}.clients.${at}`, name, environments })),
    ];
    return lists.flatMap(({ parent, environments, ...named }) =>
      ENVIRONMENTS.flatMap((environment) => {
        const client = environments[environment];
        return client
          ? [{ path: `${parent}.environments.${environment}`, application, ...named, environment, client }]
          : [];
      }),
    );
  });
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

export function toResourceDraft(resource: Manifest["resources"][number]): ResourceDraft {
  const {
    token_format: tokenFormat,
    token_algorithm: tokenAlgorithm,
    attached_by: attachedBy,
    enabled: _,
    ...same
  } = resource;
  return { ...same, tokenFormat, tokenAlgorithm, attachedBy };
}

export function toEndpointFile({ api_key: apiKey, ...same }: Manifest["webhooks"][number]): EndpointFile {
  return { ...same, apiKey };
}

/** `options.jwksUri` is `jwks_uri` in the file. */
const toSnakeCase = (path: string) =>
  path.replace(/^options\./, "").replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
/** An operation's problems, with their paths in the file. */
export const below = (parent: string, problems: Problem[]) =>
  problems.map(({ path, message }) => ({ path: `${parent}.${toSnakeCase(path)}`, message }));

function resourceProblems({ resources }: Manifest): Problem[] {
  return duplicates(resources, "resources", "id");
}

function userProblems({ users }: Manifest): Problem[] {
  return [
    ...duplicates(users, "users", "email"),
    ...users.flatMap(({ email, password, reset_password }, at) => {
      if (password !== undefined) return below(`users.${at}`, operatorPasswordErrors(password, email));
      return reset_password
        ? [{ path: `users.${at}.password`, message: "is required, because reset_password is true" }]
        : [];
    }),
  ];
}

function applicationProblems(manifest: Manifest, config: Pick<Config, "scopes">): Problem[] {
  const clients = clientsOf(manifest);
  const ids = clients.map(({ client }) => client.client_id);
  return [
    ...duplicates(manifest.applications, "applications", "name"),
    ...manifest.applications.flatMap(({ clients = [] }, at) =>
      duplicates(clients, `applications.${at}.clients`, "name"),
    ),
    ...clients.flatMap(({ path, client, environment }) =>
      below(path, clientProblems(toDraft(client, environment), config)),
    ),
    ...clients.flatMap(({ path, client }, at) =>
      client.client_id !== undefined && ids.indexOf(client.client_id) < at
        ? [{ path: `${path}.client_id`, message: "appears twice in this file" }]
        : [],
    ),
  ];
}

function webhookProblems({ webhooks }: Manifest): Problem[] {
  return [
    ...duplicateEndpoints(webhooks),
    ...webhooks.flatMap((webhook, at) => below(`webhooks.${at}`, endpointFileProblems(toEndpointFile(webhook)))),
  ];
}

/** Two entries for one URL, whether the second names the endpoint or only the provider. */
function duplicateEndpoints(webhooks: Manifest["webhooks"]): Problem[] {
  const slugs = webhooks.map(({ endpoint, provider }) => endpoint ?? provider);
  return webhooks.flatMap(({ endpoint, provider }, at) => {
    if (slugs.indexOf(endpoint ?? provider) === at) return [];
    return [
      {
        path: `webhooks.${at}.${endpoint === undefined ? "provider" : "endpoint"}`,
        message: "appears twice in this file",
      },
    ];
  });
}

function duplicates<Field extends string>(items: Record<Field, string>[], list: string, field: Field): Problem[] {
  const values = items.map((item) => item[field]);
  return values.flatMap((value, at) =>
    values.indexOf(value) < at ? [{ path: `${list}.${at}.${field}`, message: "appears twice in this file" }] : [],
  );
}
