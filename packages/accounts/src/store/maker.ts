import type { Role } from "@gatehouse/auth";

/** What authenticated a request: a session by its public id, the grant of an access token, or an API token. */
export type Credential = { kind: "session" | "grant" | "api_token"; id: string };

/**
 * A user who makes something that keeps working without a session: an API token, an invitation. It is made only if, in
 * the same transaction, the user still has this role and the credential is still live. N49.
 */
export type Maker = { id: string; role: Role; credential: Credential | undefined };
