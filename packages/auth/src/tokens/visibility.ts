import { type Client, ENVIRONMENTS } from "../clients/client.ts";
import type { Config } from "../deps.ts";
import { isServedBy } from "../resources/registry.ts";
import type { AccessToken } from "../store/access-tokens.ts";

type Viewer = Pick<Client, "clientId" | "environment" | "type" | "resourceServer" | "options">;

/**
 * Why a client may not see an access token, whether to introspect or to exchange it. It may see its own, and those for
 * an API that it serves, if they are of its own environment or of a less protected one: who manages a development
 * client must not see into production. IN-05, D22. What is minted from a token needs its very environment, see the
 * token exchange grant.
 */
export function visibilityProblem(
  token: Pick<AccessToken, "clientId" | "audience" | "environment">,
  client: Viewer,
  config: Pick<Config, "resource">,
): "token_of_other_client" | "token_of_other_environment" | undefined {
  if (token.clientId === client.clientId) return undefined;
  if (!isServedBy(client, token.audience, config)) return "token_of_other_client";
  return protection(token) > protection(client) ? "token_of_other_environment" : undefined;
}

const protection = ({ environment }: Pick<Client, "environment">) => ENVIRONMENTS.indexOf(environment);
