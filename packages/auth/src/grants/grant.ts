import type { Client, ClientType } from "../clients/client.ts";
import type { Deps } from "../deps.ts";
import type { Form } from "../http/form.ts";
import type { TokenResponse } from "../tokens/issue.ts";

/**
 * Handles one `grant_type` at the token endpoint. The client is authenticated and registered for the grant; `dpopJkt` is the
 * thumbprint of the key it has proven, undefined when it has proven none. Throws `OAuthError`.
 */
export type GrantHandler = (form: Form, client: Client, deps: Deps, dpopJkt: string | undefined) => Promise<TokenResponse>;

/** A grant, as the table of grants describes it. */
export type Grant = {
  handle: GrantHandler;
  /** Its own parameters at the token endpoint. A secret among them also belongs to the credentials that `http/form.ts` rejects in a URL. */
  parameters: readonly string[];
  /** Types of client that can be registered for it. */
  clientTypes: readonly ClientType[];
  /** Types of client that get it unless their registration names other grants. */
  defaultFor: readonly ClientType[];
  /** A user takes part, so a refresh token can follow. */
  withUser: boolean;
  /** Also for clients that no admin registered. CC-05. */
  selfDescribed: boolean;
};
