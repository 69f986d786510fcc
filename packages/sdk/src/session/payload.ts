import type { Environment } from "../options.ts";
import type { Session } from "./session.ts";

/** What a session cookie holds, sealed. A member that is added later must be optional: N−1's cookies are read. PK-26. */
export type Payload = {
  /** Random, and the same for the life of the session. */
  id: string;
  userId: string;
  name: string | null;
  email: string | null;
  accessToken: string;
  refreshToken: string | null;
  /** For `id_token_hint` at sign-out; null without the scope `openid`. */
  idToken: string | null;
  /** Of the access token, in Unix seconds. */
  expiresAt: number;
  /** How long the access token was valid when it was issued, in seconds. */
  lifetime: number;
  scope: string;
  environment: Environment;
  acr: string | null;
  authTime: number | null;
  /** The session at Gatehouse, which logout tokens name; null without the scope `openid`. */
  sid: string | null;
};

const isText = (value: unknown) => typeof value === "string";
const isTextOrNull = (value: unknown) => value === null || typeof value === "string";
const isNumber = (value: unknown) => typeof value === "number" && Number.isFinite(value);
const isNumberOrNull = (value: unknown) => value === null || isNumber(value);

const SHAPE: { readonly [member in keyof Payload]: (value: unknown) => boolean } = {
  id: isText,
  userId: isText,
  name: isTextOrNull,
  email: isTextOrNull,
  accessToken: isText,
  refreshToken: isTextOrNull,
  idToken: isTextOrNull,
  expiresAt: isNumber,
  lifetime: isNumber,
  scope: isText,
  environment: isText,
  acr: isTextOrNull,
  authTime: isNumberOrNull,
  sid: isTextOrNull,
};

/** The payload, or undefined for what an incompatible version sealed. */
export function payloadOf(value: unknown): Payload | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const members = value as Record<string, unknown>;
  return Object.entries(SHAPE).every(([name, holds]) => holds(members[name])) ? (value as Payload) : undefined;
}

/** What the app may see of it. */
export function sessionOf({ userId, name, email, scope, environment, acr, authTime }: Payload): Session {
  return {
    user: { id: userId, name, email },
    scope: scope.split(" ").filter(Boolean),
    environment,
    acr,
    authTime,
  };
}
