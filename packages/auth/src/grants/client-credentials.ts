import { isConfidential } from "../clients/client.ts";
import { OAuthError } from "../errors/error.ts";
import { availableResources } from "../resources/registry.ts";
import { requestedScope } from "../resources/requested-scope.ts";
import {
  bindScopeToResources,
  rejectDeniedResources,
  resolveTokenResource,
  scopeCause,
} from "../resources/resource-indicators.ts";
import { findScope, parseScope } from "../resources/scope.ts";
import { issueTokens } from "../tokens/issue.ts";
import type { GrantHandler } from "./grant.ts";

/** A confidential client acting for itself: no user, no refresh token. OAuth 2.1 §4.2, CC-01, CC-03. */
export const clientCredentials: GrantHandler = async (form, client, deps, dpopJkt) => {
  if (!isConfidential(client)) {
    const description = "Only confidential clients may use client_credentials.";
    throw new OAuthError("unauthorized_client", "client_grant_not_allowed", description, { description });
  }
  const available = await availableResources(client, deps);
  const resources = form.all("resource");
  rejectDeniedResources(resources, available);
  const asked = form.optional("scope");
  const result = await requestedScope({ scope: asked, resources, userDecides: false }, client, available, deps);
  // CC-02: other scopes than those of an API require a user.
  const isPersonal = (name: string) => (findScope(name, available.scopes)?.kind ?? "api") !== "api";
  const personal = (parseScope(asked ?? "") ?? []).find(isPersonal);
  if (!result.ok || personal !== undefined) {
    const cause = result.ok ? "scope_not_allowed" : scopeCause(result.problem, available);
    throw new OAuthError("invalid_scope", cause, "not a scope that this client can hold for itself", {
      description: "The scope is unknown, malformed or not allowed for this client without a user.",
      detail: { token: personal ?? (result.ok ? null : result.problem.token) },
    });
  }
  const access = bindScopeToResources({ scope: result.scope, explicit: result.explicit, resources }, available);
  const target = resolveTokenResource(
    { resources, scope: access.scope, audience: access.audience.join(" ") },
    available,
  );
  return issueTokens({ client, owner: null, ...target, dpopJkt }, deps);
};
