import type { Client } from "../clients/client.ts";
import type { Deps } from "../deps.ts";
import type { Form } from "../http/form.ts";
import type { TokenResponse } from "../tokens/issue.ts";

/**
 * Handles one `grant_type` at the token endpoint. The client is authenticated and registered for the grant; `dpopJkt`
 * is the thumbprint of the key it has proven, undefined when it has proven none. Throws `OAuthError`.
 */
export type GrantHandler = (
  form: Form,
  client: Client,
  deps: Deps,
  dpopJkt: string | undefined,
) => Promise<TokenResponse>;
