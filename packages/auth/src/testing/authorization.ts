import { type DeviceDecision, decideDeviceRequest, findDeviceRequest } from "../authorization/device.ts";
import type { AuthorizeResult } from "../authorization/response.ts";
import { shownIdentity } from "../clients/shown-identity.ts";
import { authorize } from "../endpoints/authorize.ts";
import { type ActiveSession, startSession } from "../sessions/session.ts";
import type { Consent } from "../store/consents.ts";
import { CHALLENGE, passwordSignIn, type Scene, scene } from "./scene.ts";

export type Pairs = Record<string, string | undefined>;

/** A request that is right in every way, for the scene's web client. */
const GOOD: Pairs = {
  response_type: "code",
  client_id: "shop-web",
  redirect_uri: "https://app.example/cb",
  code_challenge: CHALLENGE,
  code_challenge_method: "S256",
  scope: "api:read",
  state: "s1",
};

/** A valid request with changes (undefined removes a parameter), and `more` appended unchanged. */
export function query(change: Pairs = {}, more = ""): URLSearchParams {
  const pairs = Object.entries({ ...GOOD, ...change }).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value]],
  );
  return new URLSearchParams(`${new URLSearchParams(pairs)}${more}`);
}

/** Sends the request as the signed-in user. */
export function ask(
  s: Scene,
  change: Pairs = {},
  more = "",
  session: ActiveSession = s.active,
): Promise<AuthorizeResult> {
  return authorize(query(change, more), session, s.deps, s.caller);
}

/** Sends the request without a session. */
export function askSignedOut(s: Scene, change: Pairs = {}, more = ""): Promise<AuthorizeResult> {
  return authorize(query(change, more), undefined, s.deps, s.caller);
}

/** The parameters of a redirect to the client, and where it leads. Throws on any other answer, and on a fragment. */
export function landed(result: AuthorizeResult): { to: string } & Record<string, string> {
  if (result.kind !== "redirect" || result.to.includes("#"))
    throw new Error(`expected a redirect, got ${JSON.stringify(result)}`);
  const [to = "", search = ""] = result.to.split("?");
  return { ...Object.fromEntries(new URLSearchParams(search)), to };
}

/** The sealed request that an answer hands to one of our pages. */
export function sealedOf(
  result: AuthorizeResult,
  kind: "sign_in" | "second_step" | "consent" | "verify_email",
): string {
  if (result.kind !== kind) throw new Error(`expected ${kind}, got ${result.kind}`);
  return result.request;
}

/** The user signs in again. */
export async function signIn(s: Scene): Promise<ActiveSession> {
  const { session } = await startSession(
    { user: s.user, previousHash: s.session.hash, userAgent: null, address: null, ...passwordSignIn(s.deps) },
    s.deps,
  );
  return { session, user: s.user };
}

/** What a user allowed who allowed this client `scope`, as the client is now. */
export function consentOf(s: Scene, clientId: string, scope: string, audience = s.deps.config.resource): Consent {
  const client = s.tables.clients.get(clientId);
  if (!client) throw new Error(`no client ${clientId}`);
  return { scope, audience, identity: shownIdentity(client) };
}

/** The user opens the page of a device's request and decides there. */
export async function decideDevice(
  s: Scene,
  userCode: string,
  decision: "allow" | "deny" = "allow",
  session: ActiveSession = s.active,
): Promise<DeviceDecision> {
  const view = await findDeviceRequest(userCode, session, s.deps);
  return decideDeviceRequest({ userCode, shown: view?.shown ?? "" }, decision, session, s.deps);
}

/** A scene where the user has allowed the web client before, so that a good request yields a code at once. */
export function remembered(scope = "api:read"): Scene {
  const s = scene();
  s.tables.consents.set(`${s.user.id} shop-web`, {
    userId: s.user.id,
    clientId: "shop-web",
    ...consentOf(s, "shop-web", scope),
    allowedAt: s.clock.now,
  });
  return s;
}
