import { ENVIRONMENTS } from "@gatehouse/auth";
import { isLoopbackUrl } from "@gatehouse/runtime/loopback";
import { z } from "zod";
import { at, clientId, environment, id, line } from "../fields.ts";
import { API_TOKEN_SCOPES, type ApiTokenScope } from "./scopes.ts";

const DAY = 86_400;
const scope = z.enum(Object.keys(API_TOKEN_SCOPES) as [ApiTokenScope, ...ApiTokenScope[]]);
const unique = <Item>(items: Item[]) => [...new Set(items)];

const withoutSlash = (origin: string) => origin.trim().replace(/\/$/, "");

/** An origin as `URL` writes it; http on loopback only, since others could read what is sent there. */
function isOwnOrigin(value: string): boolean {
  if (!URL.canParse(value) || new URL(value).origin !== value) return false;
  const { protocol, hostname } = new URL(value);
  if (hostname.includes("*")) return false;
  return protocol === "https:" || (protocol === "http:" && isLoopbackUrl(value));
}

export const apiTokenDraft = z.strictObject({
  name: line.trim().min(1, "say what the token is for").max(100, "use at most 100 characters"),
  scopes: z.array(scope).min(1, "choose at least one").max(20).transform(unique),
  environments: z
    .array(environment)
    .min(1, "choose at least one")
    .max(10)
    .default([...ENVIRONMENTS])
    .transform(unique),
  /** The only client that it can act on; its environment is then the token's. */
  clientId: clientId.nullable().default(null),
  /** Where it may register first-party clients: origins such as `https://shop.example.com`. */
  firstPartyOrigins: z
    .array(z.string().max(300).transform(withoutSlash))
    .max(20, "list at most 20")
    .refine((all) => all.every(isOwnOrigin), "use origins like https://shop.example.com; http for localhost only")
    .default([])
    .transform(unique),
  expiresInSeconds: z
    .int()
    .min(60, "at least a minute")
    .max(365 * DAY, "at most 365 days")
    .default(90 * DAY),
});

export const apiTokenView = z.object({
  id,
  name: z.string(),
  hint: z.string(),
  makerId: z.string(),
  makerName: z.string(),
  scopes: z.array(z.string()),
  environments: z.array(environment),
  clientId: z.string().nullable(),
  firstPartyOrigins: z.array(z.string()),
  createdAt: at,
  expiresAt: at,
  endedAt: at.nullable(),
  /** To the minute. */
  lastUsedAt: at.nullable(),
  state: z.enum(["live", "expired", "revoked"]),
});

/** What a token can be allowed. */
export const apiTokenScope = z.object({
  name: scope,
  description: z.string(),
  ofClient: z.boolean(),
  oneClient: z.boolean().optional(),
});
