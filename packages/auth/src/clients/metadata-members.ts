import { OAuthError } from "../errors/error.ts";

// The members of client metadata, RFC 7591 §2, checked one by one. Each reader returns undefined for a member that is
// absent.

export type Members = Readonly<Record<string, unknown>>;

export type MetadataCode = "invalid_redirect_uri" | "invalid_client_metadata";

/**
 * The members that have a value: many clients serialise every optional member, unset ones as null or as empty text. A
 * null or an empty value counts as absent. RFC 7592 §2.2, DC-03.
 */
export function presentMembers(members: Members): Members {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== null && value !== undefined && value !== ""),
  );
}

export function readText(members: Members, name: string, longest: number): string | undefined {
  const value = members[name];
  if (value === undefined) return undefined;
  if (typeof value === "string" && value.length <= longest) return value;
  throw metadataError("invalid_client_metadata", `${name} must be a string of at most ${longest} characters.`);
}

export function readTexts(
  members: Members,
  name: string,
  most: number,
  code: MetadataCode = "invalid_client_metadata",
): string[] | undefined {
  const value = members[name];
  if (value === undefined) return undefined;
  if (
    Array.isArray(value) &&
    value.length <= most &&
    value.every((one) => typeof one === "string" && one.length <= 2048)
  )
    return value;
  throw metadataError(code, `${name} must be a list of at most ${most} strings.`);
}

export function readFlag(members: Members, name: string): boolean | undefined {
  const value = members[name];
  if (value === undefined) return undefined;
  if (typeof value === "boolean") return value || undefined;
  throw metadataError("invalid_client_metadata", `${name} must be true or false.`);
}

export function oneOf<const Value extends string>(
  members: Members,
  name: string,
  values: readonly Value[],
): Value | undefined {
  const sent = readText(members, name, 100);
  const known = values.find((value) => value === sent);
  if (sent !== undefined && known === undefined)
    throw metadataError("invalid_client_metadata", `${name} must be one of ${values.join(", ")}.`);
  return known;
}

/** The error for metadata that the client has to correct; `description` tells it how. */
export function metadataError(code: MetadataCode, description: string): OAuthError {
  const cause = code === "invalid_redirect_uri" ? "client_redirect_uri_invalid" : "client_metadata_invalid";
  return new OAuthError(code, cause, description, { description: description.replaceAll(/["\\]/g, "") });
}
