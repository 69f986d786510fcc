import type { ClientOptions, Environment } from "@gatehouse/auth";
import { type ClientRow, listClientRows } from "@gatehouse/db";
import type { OperationDeps } from "../deps.ts";
import { DomainError } from "../domain-error.ts";
import { type Actor, assertMayManage } from "../permissions.ts";
import { registerClient, updateClient } from "./clients.ts";

type Pair = { applicationId: string; from: Environment; to: Environment };

/** The settings that are promoted. Redirect URIs are not: each environment has its own. */
const PROMOTED = ["type", "grantTypes", "scopes", "firstParty", "resourceServer", "refreshRetrySeconds", "options"] as const;
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

/** A setting as the console shows it, with one line per option. */
function shown(client: ClientRow, field: (typeof PROMOTED | typeof KEPT)[number]): Value {
  if (field !== "options") return client[field];
  return Object.entries(shared(client.options)).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
}

const sameValue = (a: Value, b: Value | null) =>
  Array.isArray(a) && Array.isArray(b) ? [...a].sort().join("\n") === [...b].sort().join("\n") : a === b;

async function pairOf(
  { applicationId, from, to }: Pair,
  handle: OperationDeps["handle"],
): Promise<{ source: ClientRow; target: ClientRow | undefined }> {
  if (from === to)
    throw new DomainError("invalid", "Choose two different environments.", [{ path: "to", message: "must differ from the first" }]);
  const clients = await listClientRows(handle, applicationId);
  const source = clients.find(({ environment }) => environment === from);
  if (!source) throw new DomainError("not_found", `The application has no client for ${from}.`);
  return { source, target: clients.find(({ environment }) => environment === to) };
}

const blockedBy = (source: ClientRow, target: ClientRow | undefined) =>
  target && target.type !== source.type
    ? `The types differ (${source.type}, ${target.type}) and a type cannot be changed. Remove the ${target.environment} client first.`
    : null;

/** What promoting would change, field by field. */
export async function comparePromotion(pair: Pair, { handle }: Pick<OperationDeps, "handle">) {
  const { source, target } = await pairOf(pair, handle);
  const compare = (promoted: boolean) => (field: (typeof PROMOTED | typeof KEPT)[number]) => {
    const from = shown(source, field);
    const to = target ? shown(target, field) : null;
    return { field, from, to, differs: !sameValue(from, to), promoted };
  };
  const fields = [...PROMOTED.map(compare(true)), ...KEPT.map(compare(false))];
  return { targetExists: target !== undefined, blocked: blockedBy(source, target), fields };
}

/** Copies the source's settings to the target environment, with the URIs of `input`. Registers the target's client if there is none. */
export async function promote(
  input: Pair & { redirectUris: string[]; postLogoutRedirectUris: string[] },
  actor: Actor,
  deps: Pick<OperationDeps, "handle" | "config" | "now" | "random">,
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
