import { isIP } from "node:net";
import { parseUrl } from "@gatehouse/runtime";
import { OAuthError } from "../errors/error.ts";
import type { Client } from "./client.ts";

/** Every {@link ClientBlockKind}. */
export const CLIENT_BLOCK_KINDS = ["client_id", "document_host", "software_id"] as const;
/**
 * What an admin can block: one self-described client · every metadata document on a host and its subdomains · a
 * software id.
 */
export type ClientBlockKind = (typeof CLIENT_BLOCK_KINDS)[number];

/** What is blocked; identifies a block. */
export type ClientBlockKey = { kind: ClientBlockKind; value: string };
/** A block on self-described clients. */
export type ClientBlock = ClientBlockKey & {
  /** For admins only. */
  reason: string;
  createdAt: number;
  /** Unix seconds; null for no expiry. */
  expiresAt: number | null;
};

/** The keys of all blocks that would apply to this client. */
export function blockKeysOf({ clientId, options }: Pick<Client, "clientId" | "options">): ClientBlockKey[] {
  const host = documentHostname(clientId);
  return [
    { kind: "client_id", value: clientId },
    ...(host === undefined ? [] : domainsOf(host).map((value) => ({ kind: "document_host" as const, value }))),
    ...(options.softwareId === undefined ? [] : [{ kind: "software_id" as const, value: options.softwareId }]),
  ];
}

/** The host of a client id that is a URL, normalised, without port and final dot. Undefined for other ids. */
export function documentHostname(clientId: string): string | undefined {
  if (!/^https?:\/\//i.test(clientId)) return undefined;
  return parseUrl(clientId)?.hostname.replace(/\.$/, "");
}

/** The host and its parent domains. */
function domainsOf(host: string): string[] {
  if (host.startsWith("[") || isIP(host) !== 0) return [host];
  const labels = host.split(".");
  return labels.map((_, at) => labels.slice(at).join("."));
}

/** The error for a blocked client: 403 at the registration endpoints (RFC 7592 §2), 400 on our own page. */
export function blockedClient(status: 400 | 403): OAuthError {
  return new OAuthError(
    "access_denied",
    "registration_blocked",
    "an admin blocked the client, its document's host or its software id",
    {
      description: "An administrator has blocked this application here.",
      status,
    },
  );
}
