import type { Deps } from "../deps.ts";
import { availableResources } from "../resources/registry.ts";
import { advertisedScopes, isFirstPartyKind, scopesOf } from "../resources/scope.ts";
import type { MetadataRules } from "./metadata.ts";
import { EDITOR_SCHEMES } from "./private-scheme.ts";

/** Stands for every self-described client. */
const SELF_DESCRIBED = { options: {}, origin: "dynamic", environment: "production" } as const;

/**
 * What self-described clients may register: our own scopes except account and console, and those of each API that
 * allows such clients. D21.
 */
export async function registrationRules(deps: Pick<Deps, "config" | "now" | "store">): Promise<MetadataRules> {
  const own = Object.entries(scopesOf(deps.config)).flatMap(([name, { kind }]) =>
    isFirstPartyKind(kind) ? [] : [name],
  );
  const [, ...others] = (await availableResources(SELF_DESCRIBED, deps)).resources;
  const apis = others.map(({ scopes }) => scopes.map(({ name }) => name));
  return {
    scopes: [...own, ...apis.flat()],
    apis,
    advertised: advertisedScopes(scopesOf(deps.config)),
    allowLoopback: deps.config.issuer.startsWith("http:"),
    privateSchemes: deps.config.registrationSchemes ?? EDITOR_SCHEMES,
    dropRefused: true,
  };
}
