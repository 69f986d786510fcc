import { checkRedirectUri, type Environment } from "@gatehouse/auth";
import type { PreviewFrame } from "@gatehouse/db/schema/preview-frame";
import type { ClientRow } from "../clients/queries.ts";
import { managedClient } from "../clients/view.ts";
import type { OperationDeps } from "../deps.ts";
import { DomainError } from "../domain-error.ts";
import type { Actor } from "../permissions.ts";

/**
 * Can this client have preview slots? Only one that an admin registered, outside of production, with redirect URIs.
 * CO-28.
 */
export function takesPreviews({
  environment,
  origin,
  type,
}: Pick<ClientRow, "environment" | "origin" | "type">): boolean {
  const uri = "https://preview.example.com/callback";
  return (
    (environment as Environment) !== "production" &&
    origin === "registered" &&
    checkRedirectUri({ uri, type, environment }).ok
  );
}

/** A client with slots that the actor may change. Throws `not_found`, `forbidden` or `conflict`. */
export async function slottedClient(
  clientId: string,
  actor: Actor,
  { db }: Pick<OperationDeps, "db">,
): Promise<ClientRow> {
  const client = await managedClient(clientId, actor, db);
  if (takesPreviews(client)) return client;
  throw new DomainError(
    "conflict",
    "Only clients for development and staging with redirect URIs, registered by an admin, have preview slots.",
  );
}

/** Throws `conflict` for a client without a frame. */
export function requireFrame(frame: PreviewFrame | null): PreviewFrame {
  if (frame) return frame;
  throw new DomainError(
    "conflict",
    "This client takes no previews yet: an admin has to set which addresses its previews may have.",
  );
}
