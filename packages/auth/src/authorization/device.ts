import type { Client } from "../clients/client.ts";
import { shownIdentity } from "../clients/shown-identity.ts";
import { mintTimeOrderedId, type Random } from "../crypto/secret.ts";
import type { Deps } from "../deps.ts";
import { type DescribedScope, describeScopes } from "../resources/registry.ts";
import type { ActiveSession } from "../sessions/session.ts";
import { signInContext } from "../sessions/step-up.ts";
import type { DeviceCode } from "../store/device-codes.ts";
import { findLiveTestRun, type TestRun } from "../test-runs/test-run.ts";
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

/** Normalises a typed user code: case, keyboard, dashes and spaces do not matter. Undefined when it cannot be a code. DF-04. */
export function normaliseUserCode(typed: string): string | undefined {
  const code = [...plainCode(typed).toUpperCase()].filter((letter) => ALPHABET.includes(letter)).join("");
  return code.length === LENGTH ? code : undefined;
}

/** The pending request of a typed code; undefined when the code is wrong, decided or expired. The caller must limit attempts (DF-05). */
export async function findDeviceRequest(
  userCode: string,
  { session }: ActiveSession,
  deps: Pick<Deps, "store" | "now" | "config" | "seal">,
): Promise<DeviceRequestView | undefined> {
  const found = await findPending(userCode, deps);
  if (!found) return undefined;
  const { code, client, run } = found;
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
    testRun: run !== undefined,
  };
}

/** What the page for a device leads to. */
export type DeviceDecision =
  | { kind: "approved" | "denied" }
  /** The code is wrong, expired or already decided. */
  | { kind: "gone" }
  /** The form is not of a page that shows this request as it is now: show the page again. */
  | { kind: "changed" }
  /** The session lacks something, and the request stays pending. `request` leads back to it through the sign-in pages. MF-09, RG-06. */
  | { kind: "sign_in" | "second_step" | "verify_email"; request: string };

/**
 * Records the signed-in user's decision. `userCode` and `shown` come from the form of the page, {@link DeviceRequestView}. RFC 8628 §3.3. The
 * caller must limit attempts (DF-05), and have verified the CSRF token.
 */
export async function decideDeviceRequest(
  { userCode, shown }: Pick<DeviceRequestView, "userCode" | "shown">,
  decision: "allow" | "deny",
  session: ActiveSession,
  deps: Deps,
): Promise<DeviceDecision> {
  const found = await findPending(userCode, deps);
  if (!found || (found.run && found.run.operatorId !== session.user.id)) return { kind: "gone" };
  if (decision === "deny") return { kind: (await deps.store.denyDeviceCode(found.code.hash, deps.now())) ? "denied" : "gone" };
  if (deps.seal.open(SHOWN, shown) !== JSON.stringify(shownOf(found, session.session.id))) return { kind: "changed" };
  const demand = demandOfDevice(found.client, found.code.createdAt, deps.config);
  const lacking = lackingForGrant(demand, session, deps.config);
  if (lacking !== undefined) return leadBack(lacking, demand, found, session, deps);
  return { kind: await (found.run ? approveTestRun(found.code, found.run, session, deps) : approve(found, session, deps)) };
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
  const request = sealDeviceRequest({ clientId: client.clientId, userCode: formatUserCode(code.userCode) }, active.session.id, deps);
  if (lacking === "verified_email") return { kind: "verify_email", request };
  const step = lacking === "level" ? await levelStepOf(demand, active, deps) : undefined;
  return { kind: step?.kind === "second_step" ? "second_step" : "sign_in", request };
}

type Pending = { code: DeviceCode; client: Client; run: TestRun | undefined };

async function findPending(typed: string, deps: Pick<Deps, "store" | "now">): Promise<Pending | undefined> {
  const userCode = normaliseUserCode(typed);
  const code = userCode && (await deps.store.findPendingDeviceCode(userCode, deps.now()));
  if (!code) return undefined;
  const client = await deps.store.findClient(code.clientId);
  if (!client?.enabled) return undefined;
  const run = code.testRunId === null ? undefined : await findLiveTestRun(code.testRunId, deps);
  return code.testRunId !== null && !run ? undefined : { code, client, run };
}

/** Approves last: a crash before that leaves an unused grant, and the device keeps waiting. */
async function approve(
  { code, client }: Pending,
  session: ActiveSession,
  deps: Pick<Deps, "store" | "now" | "random" | "usage" | "config">,
): Promise<"approved" | "gone"> {
  const now = deps.now();
  const { clientId, scope } = code;
  // Without the session: the device stays connected when the user signs out of this browser.
  const { sessionId: _, ...context } = signInContext(session.session);
  const by = { grantId: mintTimeOrderedId(deps), userId: session.user.id, context };
  const grant = { id: by.grantId, userId: by.userId, clientId, scope, sessionId: null, accessEpoch: session.session.accessEpoch };
  if (!(await deps.store.saveGrant({ ...grant, createdAt: now }, session.session.id))) return "gone";
  const audience = code.audience ?? deps.config.resource;
  await deps.store.saveConsent({ userId: by.userId, clientId, scope, audience, identity: shownIdentity(client), now });
  if (await deps.store.approveDeviceCode(code.hash, by, now)) {
    deps.usage?.signedIn(client, null);
    return "approved";
  }
  await deps.store.revokeGrant(by.grantId, "another decision came first", now);
  return "gone";
}

/** Approves under the run's own grant, which ends with the run. Remembers and counts nothing. CO-42. */
async function approveTestRun(
  { hash }: DeviceCode,
  run: TestRun,
  { session, user }: ActiveSession,
  deps: Pick<Deps, "store" | "now">,
): Promise<"approved" | "gone"> {
  const { sessionId: _, ...context } = signInContext(session);
  const by = { grantId: run.grantId, userId: user.id, context: { ...context, testRun: run.id } };
  return (await deps.store.approveDeviceCode(hash, by, deps.now())) ? "approved" : "gone";
}
