import type { Environment } from "@gatehouse/auth";
import type { WriteQuery } from "@gatehouse/db/query/db";
import type { AdapterSettings } from "@gatehouse/webhooks";
import type { OperationDeps } from "../deps.ts";
import { invalid, type Problem } from "../domain-error.ts";
import { endpointSecretsRemoval, type WebhookSecretRow } from "../webhook-secrets/queries.ts";
import { isActiveSecret } from "../webhook-secrets/rows.ts";
import type { EndpointRow } from "./queries.ts";

type Move = {
  endpoint: EndpointRow;
  environment: Environment;
  keepSecrets: readonly string[];
  secrets: readonly WebhookSecretRow[];
};

/**
 * Whether an endpoint goes into production or leaves it. Its secrets were added by people who may not decide about
 * production, or verify what they may not see. CO-58.
 */
export function crossesProduction(from: Environment, to: Environment): boolean {
  return (from === "production") !== (to === "production");
}

/**
 * Every problem with a move that does not state the settings. An API key that is added later goes to the `apiBaseUrl`,
 * which somebody without rights in the new environment may have chosen.
 */
export function moveProblems(
  { environment: from, settings: { apiBaseUrl } }: Pick<EndpointRow, "environment" | "settings">,
  { environment, settings }: { environment?: Environment | undefined; settings?: AdapterSettings | undefined },
): Problem[] {
  if (
    environment === undefined ||
    !crossesProduction(from, environment) ||
    settings !== undefined ||
    apiBaseUrl === undefined
  )
    return [];
  const message = `must be given with this move, because apiBaseUrl sends API keys to ${apiBaseUrl}. Repeat them, with or without it`;
  return [{ path: "settings", message }];
}

/**
 * The writes of a move, and what the audit log says about it: a move into or out of production ends the endpoint's
 * secrets, except those that the mover names. Throws `invalid` if one of these is no active secret of the endpoint.
 * `secrets`: all of the endpoint.
 */
export function planMove(
  { endpoint, environment, keepSecrets, secrets }: Move,
  { db, now }: Pick<OperationDeps, "db" | "now">,
): { writes: WriteQuery[]; detail: object } {
  const at = now();
  const active = secrets.filter((secret) => secret.kind !== "forwarding" && isActiveSecret(secret, at));
  const unknown = keepSecrets.flatMap((id, place) => (active.some((secret) => secret.id === id) ? [] : [place]));
  if (unknown.length > 0)
    throw invalid(
      unknown.map((place) => ({
        path: `keepSecrets.${place}`,
        message: "is not the id of an active secret of this endpoint",
      })),
    );
  if (!crossesProduction(endpoint.environment, environment)) return { writes: [], detail: {} };
  const kept = active.filter(({ id }) => keepSecrets.includes(id));
  return {
    writes: [endpointSecretsRemoval(db, { endpoint: endpoint.slug, keep: kept.map(({ id }) => id) }, at)],
    detail: { secrets: { kept: kept.map(({ hint }) => `…${hint}`), ended: active.length - kept.length } },
  };
}
