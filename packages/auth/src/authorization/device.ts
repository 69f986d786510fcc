import type { Client } from "../clients/client.ts";
import { shownIdentity } from "../clients/shown-identity.ts";
import { mintTimeOrderedId, type Random } from "../crypto/secret.ts";
import type { Deps } from "../deps.ts";
import { OAuthError } from "../errors/error.ts";
import { depsUnder, type Exemption } from "../request-policy.ts";
import { type DescribedScope, describeScopes } from "../resources/registry.ts";
import type { ActiveSession } from "../sessions/session.ts";
import { signInContext } from "../sessions/step-up.ts";
import type { DeviceApproval, DeviceCode } from "../store/device-codes.ts";
import { plainCode } from "../typed-code.ts";
import { identityOnPage } from "./consent.ts";
import { demandOfDevice, type GrantDemand, type Lacking, lackingForGrant } from "./granting.ts";
import { levelStepOf } from "./level-step.ts";
import { sealDeviceRequest } from "./pending-request.ts";

/** No vowels, to avoid words, and no letters that look alike. RFC 8628 §6.1. */
const ALPHABET = "BCDFGHJKLMNPQRSTVWXZ";
const LENGTH = 8;
/** The largest multiple of the alphabet's length within a byte. Bytes above it would favour the first letters. */
const UNBIASED_LIMIT = 256 - (256 % ALPHABET.length);

/** What the device page shows, so that the user can recognise the device. RFC 8628 §5.4, DF-10. */
export type DeviceRequestView = {
  /** As shown on the device: XXXX-XXXX. */
  userCode: string;
  /** The value that the form sends back: what this page shows, which is all that the user can allow on it. */
  shown: string;
  client: Pick<Client, "clientId" | "applicationName" | "environment" | "type">;
  scopes: DescribedScope[];
  requestedAddress: string | null;
  /** As the device sent it: show what it means, never its words. RFC 8628 §5.4. */
  requestedUserAgent: string | null;
  requestedAt: number;
  expiresAt: number;
  /** An operator tests the client: only the operator can allow it, and it is not remembered. CO-39. */
  testRun: boolean;
};

/** Eight uniformly random letters: 34.5 bits. DF-06. */
export function generateUserCode(random: Random): string {
  let code = "";
  while (code.length < LENGTH) {
    for (const byte of random(LENGTH * 2)) {
      if (byte < UNBIASED_LIMIT && code.length < LENGTH) code += ALPHABET[byte % ALPHABET.length];
    }
  }
  return code;
}

/** Formats a user code for display: XXXX-XXXX. */
export function formatUserCode(userCode: string): string {
  return `${userCode.slice(0, LENGTH / 2)}-${userCode.slice(LENGTH / 2)}`;
}

/**
 * Normalises a typed user code: case, keyboard, dashes and spaces do not matter. Undefined when it cannot be a code.
 * DF-04.
 */
export function normaliseUserCode(typed: string): string | undefined {
  const code = [...plainCode(typed).toUpperCase()].filter((letter) => ALPHABET.includes(letter)).join("");
  return code.length === LENGTH ? code : undefined;
}

/**
 * The pending request of a typed code; undefined when the code is wrong, decided or expired. The caller must limit
 * attempts (DF-05).
 */
export async function findDeviceRequest(
  userCode: string,
  { session }: ActiveSession,
  deps: Pick<Deps, "store" | "now" | "config" | "seal" | "policy">,
): Promise<DeviceRequestView | undefined> {
  const found = await findPending(userCode, deps);
  if (!found) return undefined;
  const { code, client, exemption } = found;
  const { clientId, applicationName, environment, type } = client;
  return {
    userCode: formatUserCode(code.userCode),
    shown: deps.seal.seal(SHOWN, JSON.stringify(shownOf(found, session.id))),
    client: { clientId, applicationName, environment, type },
    scopes: await describeScopes(code.scope, deps),
    requestedAddress: code.requestedAddress,
    requestedUserAgent: code.requestedUserAgent,
    requestedAt: code.createdAt,
    expiresAt: code.expiresAt,
    testRun: exemption?.isTest === true,
  };
}

/** What the page for a device leads to. */
export type DeviceDecision =
  | { kind: "approved" | "denied" }
  /** The code is wrong, expired or already decided. */
  | { kind: "gone" }
  /** The form is not of a page that shows this request as it is now: show the page again. */
  | { kind: "changed" }
  /**
   * The session lacks something, and the request stays pending. `request` leads back to it through the sign-in pages.
   * MF-09, RG-06.
   */
  | { kind: "sign_in" | "second_step" | "verify_email"; request: string };

/**
 * Records the signed-in user's decision. `userCode` and `shown` come from the form of the page,
 * {@link DeviceRequestView}. RFC 8628 §3.3. The caller must limit attempts (DF-05), and have verified the CSRF token.
 */
export async function decideDeviceRequest(
  { userCode, shown }: Pick<DeviceRequestView, "userCode" | "shown">,
  decision: "allow" | "deny",
  session: ActiveSession,
  deps: Deps,
): Promise<DeviceDecision> {
  const found = await findPending(userCode, deps);
  if (!found || (found.exemption?.userId ?? session.user.id) !== session.user.id) return { kind: "gone" };
  if (decision === "deny")
    return { kind: (await deps.store.denyDeviceCode(found.code.hash, deps.now())) ? "denied" : "gone" };
  if (deps.seal.open(SHOWN, shown) !== JSON.stringify(shownOf(found, session.session.id))) return { kind: "changed" };
  const demand = demandOfDevice(found.client, found.code.createdAt, deps.config);
  const lacking = lackingForGrant(demand, session, deps.config);
  if (lacking !== undefined) return leadBack(lacking, demand, found, session, deps);
  return { kind: await approve(found, session, depsUnder(found.exemption, deps)) };
}

const SHOWN = "device page";

/** What the page shows is of the request with this hash, of this client as people see it, and for this session. */
function shownOf({ code, client }: Pending, sessionId: string): string[] {
  return [code.hash, identityOnPage(client), sessionId];
}

/** Leads the user to what the session lacks. After that they decide on the page again. */
async function leadBack(
  lacking: Lacking,
  demand: GrantDemand,
  { code, client }: Pending,
  active: ActiveSession,
  deps: Deps,
): Promise<DeviceDecision> {
  const request = sealDeviceRequest(
    { clientId: client.clientId, userCode: formatUserCode(code.userCode) },
    active.session.id,
    deps,
  );
  if (lacking === "verified_email") return { kind: "verify_email", request };
  const step = lacking === "level" ? await levelStepOf(demand, active, deps) : undefined;
  return { kind: step?.kind === "second_step" ? "second_step" : "sign_in", request };
}

type Pending = { code: DeviceCode; client: Client; exemption: Exemption | undefined };

async function findPending(typed: string, deps: Pick<Deps, "store" | "now" | "policy">): Promise<Pending | undefined> {
  const userCode = normaliseUserCode(typed);
  const code = userCode && (await deps.store.findPendingDeviceCode(userCode, deps.now()));
  if (!code) return undefined;
  const client = await deps.store.findClient(code.clientId);
  if (!client?.enabled) return undefined;
  if (code.exemptionId === null) return { code, client, exemption: undefined };
  const exemption = await liveExemption(code.exemptionId, deps);
  return exemption && { code, client, exemption };
}

async function liveExemption(id: string, { policy }: Pick<Deps, "policy">): Promise<Exemption | undefined> {
  try {
    return await policy?.ofRequest(id);
  } catch (thrown) {
    if (thrown instanceof OAuthError) return undefined; // it has ended
    throw thrown;
  }
}

/** Approves last: a crash before that leaves an unused grant, and the device keeps waiting. */
async function approve(
  pending: Pending,
  { session, user }: ActiveSession,
  deps: Pick<Deps, "store" | "now" | "random" | "usage" | "config">,
): Promise<"approved" | "gone"> {
  const { code, client, exemption } = pending;
  const now = deps.now();
  // Without the session: the device stays connected when the user signs out of this browser.
  const { sessionId: _, ...signIn } = signInContext(session);
  const context = { ...signIn, ...(exemption && { exemption: exemption.id }) };
  const by = { grantId: exemption?.grantId ?? mintTimeOrderedId(deps), userId: user.id, context };
  const isNewGrant = exemption?.grantId === undefined;
  if (isNewGrant && !(await saveGrantOf(pending, by, session, deps))) return "gone";
  if (await deps.store.approveDeviceCode(code.hash, by, now)) {
    deps.usage?.signedIn(client, null);
    return "approved";
  }
  if (isNewGrant) await deps.store.revokeGrant(by.grantId, "another decision came first", now);
  return "gone";
}

/** Writes the grant and, except under an exemption, remembers the consent. False when the session has ended. CO-42. */
async function saveGrantOf(
  { code: { clientId, scope, audience }, client, exemption }: Pending,
  { grantId, userId }: Pick<DeviceApproval, "grantId" | "userId">,
  session: ActiveSession["session"],
  { store, now, config }: Pick<Deps, "store" | "now" | "config">,
): Promise<boolean> {
  const grant = {
    id: grantId,
    userId,
    clientId,
    scope,
    sessionId: null,
    accessEpoch: session.accessEpoch,
    createdAt: now(),
  };
  if (!(await store.saveGrant(grant, session.id))) return false;
  if (exemption) return true;
  const identity = shownIdentity(client);
  await store.saveConsent({ userId, clientId, scope, audience: audience ?? config.resource, identity, now: now() });
  return true;
}
