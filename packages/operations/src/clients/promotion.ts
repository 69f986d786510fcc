import type { ClientOptions, Environment } from "@gatehouse/auth";
import { type ClientRow, listClientRows } from "@gatehouse/db";
import type { ApiDeps } from "../deps.ts";
import { DomainError } from "../domain-error.ts";
import { type Actor, assertMayManage } from "../permissions.ts";
import { registerClient, updateClient } from "./clients.ts";

type Pair = { applicationId: string; from: Environment; to: Environment };

/** What an environment hands on; the redirect URIs are each environment's own. */
const PROMOTED = ["type", "grantTypes", "scopes", "firstParty", "resourceServer", "refreshRetrySeconds", "options"] as const;
const KEPT = ["redirectUris", "postLogoutRedirectUris"] as const;

/** Options that name an environment's own keys and addresses. */
const KEPT_OPTIONS = ["jwks", "jwksUri", "backchannelLogoutUri"] as const satisfies (keyof ClientOptions)[];

type Value = string | number | boolean | string[];

function shared(options: ClientOptions): ClientOptions {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !KEPT_OPTIONS.some((kept) => kept === name)));
}

function own(options: ClientOptions): ClientOptions {
  return Object.fromEntries(Object.entries(options).filter(([name]) => KEPT_OPTIONS.some((kept) => kept === name)));
}

/** A setting as the console shows it: each option is a line. */
function shown(client: ClientRow, field: (typeof PROMOTED | typeof KEPT)[number]): Value {
  if (field !== "options") return client[field];
  return Object.entries(shared(client.options)).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
}

const sameValue = (a: Value, b: Value | null) =>
  Array.isArray(a) && Array.isArray(b) ? [...a].sort().join("\n") === [...b].sort().join("\n") : a === b;

async function pairOf(
  { applicationId, from, to }: Pair,
  handle: ApiDeps["handle"],
): Promise<{ source: ClientRow; target: ClientRow | undefined }> {
  if (from === to)
    throw new DomainError("invalid", "Choose two different environments.", [{ path: "to", message: "differs from the first" }]);
  const clients = await listClientRows(handle, applicationId);
  const source = clients.find(({ environment }) => environment === from);
  if (!source) throw new DomainError("not_found", `The application has no client for ${from}.`);
  return { source, target: clients.find(({ environment }) => environment === to) };
}

const blockedBy = (source: ClientRow, target: ClientRow | undefined) =>
  target && target.type !== source.type
    ? `The types differ (${source.type}, ${target.type}) and a type never changes. Remove the ${target.environment} client first.`
    : null;

/** Field by field, what promoting would change. */
export async function comparePromotion(pair: Pair, { handle }: Pick<ApiDeps, "handle">) {
  const { source, target } = await pairOf(pair, handle);
  const compare = (promoted: boolean) => (field: (typeof PROMOTED | typeof KEPT)[number]) => {
    const from = shown(source, field);
    const to = target ? shown(target, field) : null;
    return { field, from, to, differs: !sameValue(from, to), promoted };
  };
  const fields = [...PROMOTED.map(compare(true)), ...KEPT.map(compare(false))];
  return { targetExists: target !== undefined, blocked: blockedBy(source, target), fields };
}

/** Gives the target environment the source's settings and the URIs of `input`; registers its client when there is none. */
export async function promote(
  input: Pair & { redirectUris: string[]; postLogoutRedirectUris: string[] },
  actor: Actor,
  deps: Pick<ApiDeps, "handle" | "config" | "now" | "random">,
) {
  assertMayManage(actor, input.to);
  const { source, target } = await pairOf(input, deps.handle);
  const blocked = blockedBy(source, target);
  if (blocked) throw new DomainError("conflict", blocked);

  const { grantTypes, scopes, firstParty, resourceServer, refreshRetrySeconds, type } = source;
  const { applicationId, to: environment, redirectUris, postLogoutRedirectUris } = input;
  const options = { ...shared(source.options), ...own(target?.options ?? {}) };
  const settings = { grantTypes, scopes, firstParty, resourceServer, refreshRetrySeconds, options, redirectUris, postLogoutRedirectUris };
  if (target) return { client: await updateClient(target.id, settings, actor, deps), secret: null };
  return registerClient({ ...settings, applicationId, environment, type }, actor, deps);
}
