import type { ClientOptions, Environment } from "@gatehouse/auth";
import type { OperationDeps } from "../deps.ts";
import { DomainError } from "../domain-error.ts";
import { type Author, assertMayManage } from "../permissions.ts";
import { clientNameOf } from "./names.ts";
import { promotionLints } from "./promotion-lints.ts";
import { type ClientRow, listClientRows } from "./queries.ts";
import { registerClient, updateClient } from "./register.ts";

type Pair = {
  applicationId: string;
  /** Of the client; without it, the application's only one. */
  name?: string | undefined;
  from: Environment;
  to: Environment;
};

/** The settings that are promoted, besides the options. Redirect URIs are not: each environment has its own. */
const PROMOTED = ["type", "grantTypes", "scopes", "firstParty", "resourceServer", "refreshRetrySeconds"] as const;
const KEPT = ["redirectUris", "postLogoutRedirectUris"] as const;

/** Options with keys and addresses, which each environment has for itself. */
const KEPT_OPTIONS = ["jwks", "jwksUri", "backchannelLogoutUri"] as const satisfies (keyof ClientOptions)[];

type Value = string | number | boolean | string[];

function shared(options: ClientOptions): ClientOptions {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !KEPT_OPTIONS.some((kept) => kept === name)));
}

function own(options: ClientOptions): ClientOptions {
  return Object.fromEntries(Object.entries(options).filter(([name]) => KEPT_OPTIONS.some((kept) => kept === name)));
}

/** What the diff shows of a client, by path; an option that is not set has no entry. */
function valuesOf(client: ClientRow): Map<string, Value> {
  const settings = [...PROMOTED, ...KEPT].map((field): [string, Value] => [field, client[field]]);
  const options = Object.entries(shared(client.options)).map(([name, value]): [string, Value] => [
    `options.${name}`,
    shownOption(value),
  ]);
  return new Map([...settings, ...options]);
}

const shownOption = (value: unknown): Value =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? value
    : Array.isArray(value)
      ? value.map(String)
      : JSON.stringify(value);

const sameValue = (a: Value | null, b: Value | null) =>
  Array.isArray(a) && Array.isArray(b) ? [...a].sort().join("\n") === [...b].sort().join("\n") : a === b;

async function pairOf(
  { applicationId, name, from, to }: Pair,
  db: OperationDeps["db"],
): Promise<{ source: ClientRow; target: ClientRow | undefined }> {
  if (from === to)
    throw new DomainError("invalid", "Choose two different environments.", [
      { path: "to", message: "must differ from the first" },
    ]);
  const all = await listClientRows(db, applicationId);
  const chosen = clientNameOf(name, all);
  const clients = all.filter((client) => client.name === chosen);
  const source = clients.find(({ environment }) => environment === from);
  if (!source) throw new DomainError("not_found", `The client ${chosen} is not registered for ${from}.`);
  return { source, target: clients.find(({ environment }) => environment === to) };
}

const blockedBy = (source: ClientRow, target: ClientRow | undefined) =>
  target && target.type !== source.type
    ? `The types differ (${source.type}, ${target.type}) and a type cannot be changed. Remove the ${target.environment} client first.`
    : null;

type Versions = { from: number; to: number | null };

const versionsOf = (source: ClientRow, target: ClientRow | undefined): Versions => ({
  from: source.version,
  to: target?.version ?? null,
});

/** What promoting would change, field by field, at which versions, and what to look at twice. CO-24. */
export async function comparePromotion(pair: Pair, deps: Pick<OperationDeps, "db" | "reads" | "config" | "now">) {
  const { source, target } = await pairOf(pair, deps.db);
  const [mine, theirs] = [valuesOf(source), target ? valuesOf(target) : new Map<string, Value>()];
  const fields = [...new Set([...mine.keys(), ...theirs.keys()])].map((field) => {
    const from = mine.get(field) ?? null;
    const to = theirs.get(field) ?? null;
    return { field, from, to, differs: !sameValue(from, to), promoted: !KEPT.some((kept) => kept === field) };
  });
  return {
    targetExists: target !== undefined,
    blocked: blockedBy(source, target),
    versions: versionsOf(source, target),
    lints: await promotionLints(source, target, deps),
    fields,
  };
}

type Promotion = Pair & {
  redirectUris: string[];
  postLogoutRedirectUris: string[];
  /** Those of the comparison that the user saw; without them, whatever is there is promoted. */
  versions?: Versions | undefined;
};

/**
 * Copies the source's settings to the target environment, with the URIs of `input`. Registers the client there if it is
 * not. Throws `conflict` and changes nothing if either client is no longer at the version of the comparison. CO-24.
 */
export async function promote(
  input: Promotion,
  author: Author,
  deps: Pick<OperationDeps, "db" | "config" | "now" | "random">,
) {
  assertMayManage(author, input.to);
  const { source, target } = await pairOf(input, deps.db);
  const blocked = blockedBy(source, target);
  if (blocked) throw new DomainError("conflict", blocked);
  const { versions } = input;
  const now = versionsOf(source, target);
  if (versions && (versions.from !== now.from || versions.to !== now.to))
    throw new DomainError(
      "conflict",
      "A client changed after you opened this comparison. Look at the new one, then promote again.",
    );

  const { grantTypes, scopes, firstParty, resourceServer, refreshRetrySeconds, type } = source;
  const { applicationId, to: environment, redirectUris, postLogoutRedirectUris } = input;
  const options = { ...shared(source.options), ...own(target?.options ?? {}) };
  const settings = {
    grantTypes,
    scopes,
    firstParty,
    resourceServer,
    refreshRetrySeconds,
    options,
    redirectUris,
    postLogoutRedirectUris,
  };
  const as = { action: "client.promote" as const, detail: { from: input.from, source: source.id } };
  if (target)
    return {
      client: await updateClient(target.id, settings, author, deps, { ...as, version: versions?.to ?? undefined }),
      secret: null,
    };
  return registerClient({ ...settings, applicationId, name: source.name, environment, type }, author, deps, as);
}
