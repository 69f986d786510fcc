import type { Client } from "../clients/client.ts";
import type { Deps } from "../deps.ts";
import type { Form } from "../http/form.ts";
import type { TokenResponse } from "../tokens/issue.ts";

/**
 * One value of `grant_type`: trades what the form presents, for a client already authenticated and allowed this grant.
 * `dpopJkt` is the key the client has proven to hold; undefined when it has proven none.
 */
export type TokenGrant = (form: Form, client: Client, deps: Deps, dpopJkt: string | undefined) => Promise<TokenResponse>;
