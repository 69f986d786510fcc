import { GatehouseError } from "../error.ts";
import { type Call, call } from "./call.ts";
import { KINDS, type Procedures } from "./procedures.ts";

export type AdminOptions = {
  /** The server, as `https://id.example.com`; http on loopback only. */
  issuer: string;
  /** An API token, `gap_…`, with the scopes of the procedures that are called. */
  token: string;
  /** Default: the global `fetch`. */
  fetch?: typeof fetch;
};

type Path = keyof Procedures;
type Noun = Path extends `${infer First}.${string}` ? First : never;
type VerbOf<Of extends string> = Path extends infer One ? (One extends `${Of}.${infer Verb}` ? Verb : never) : never;
type At<Of extends string, Verb extends string> = Procedures[`${Of}.${Verb}` & Path];
type Procedure<One extends { input: unknown; output: unknown }> = undefined extends One["input"]
  ? (input?: One["input"]) => Promise<One["output"]>
  : (input: One["input"]) => Promise<One["output"]>;

/** Every procedure that accepts API tokens, as `admin.<noun>.<verb>(input)`. */
export type Admin = { readonly [Of in Noun]: { readonly [Verb in VerbOf<Of>]: Procedure<At<Of, Verb>> } };

/**
 * Makes a client of a server's procedures for scripts and jobs: exactly those that accept API tokens, with the server's
 * types. Calls that read are repeated up to three times if the server is unreachable or asks to wait; calls that change
 * something never are. PK-58.
 *
 * @throws GatehouseError `configuration` for an issuer or a token that cannot be right; each call rejects with
 *   `AdminError`.
 */
export function createAdmin({ issuer, token, fetch: send = fetch }: AdminOptions): Admin {
  const server = { issuer: readIssuer(issuer), token: readToken(token), send };
  const admin: Record<string, Record<string, (input?: unknown) => Promise<unknown>>> = {};
  for (const [path, kind] of Object.entries(KINDS)) {
    const [noun = "", verb = ""] = path.split(".");
    const procedure: Call = { path, kind };
    admin[noun] ??= {};
    admin[noun][verb] = (input) => call(procedure, input, server);
  }
  return admin as Admin;
}

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

function readIssuer(issuer: string): string {
  const wrong = new GatehouseError(
    "configuration",
    "The option issuer must be a URL like https://id.example.com, without a trailing slash; http is for localhost only.",
  );
  if (typeof issuer !== "string" || !URL.canParse(issuer)) throw wrong;
  const { protocol, hostname, origin } = new URL(issuer);
  if (protocol !== "https:" && !(protocol === "http:" && LOOPBACK.includes(hostname))) throw wrong;
  if (issuer !== origin) throw wrong;
  return origin;
}

function readToken(token: string): string {
  if (typeof token === "string" && /^gap_[\x21-\x7e]+$/.test(token)) return token;
  throw new GatehouseError(
    "configuration",
    "The option token must be an API token, gap_…, as the console showed it once under Settings → API tokens.",
  );
}
