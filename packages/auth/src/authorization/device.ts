import type { Client } from "../clients/client.ts";
import { mintTimeOrderedId, type Random } from "../crypto/secret.ts";
import type { Deps } from "../deps.ts";
import { type DescribedScope, describeScopes } from "../resources/registry.ts";
import type { ActiveSession } from "../sessions/session.ts";
import { signInContext } from "../sessions/step-up.ts";
import type { DeviceCode } from "../store/device-codes.ts";
import { findLiveTestRun, type TestRun } from "../test-runs/test-run.ts";

/** No vowels, to avoid words, and no letters that look alike. RFC 8628 §6.1. */
const ALPHABET = "BCDFGHJKLMNPQRSTVWXZ";
const LENGTH = 8;
/** The largest multiple of the alphabet's length within a byte. Bytes above it would favour the first letters. */
const UNBIASED_LIMIT = 256 - (256 % ALPHABET.length);

/** What the device page shows, so that the user can recognise the device. RFC 8628 §5.4, DF-10. */
export type DeviceRequestView = {
  /** As shown on the device: XXXX-XXXX. */
  userCode: string;
  client: Pick<Client, "clientId" | "applicationName" | "environment" | "type">;
  scopes: DescribedScope[];
  requestedFrom: string | null;
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

/** Normalises a typed user code: case, dashes and spaces do not matter. Undefined when it cannot be a code. DF-04. */
export function normaliseUserCode(typed: string): string | undefined {
  const code = [...typed.toUpperCase()].filter((letter) => ALPHABET.includes(letter)).join("");
  return code.length === LENGTH ? code : undefined;
}

/** The pending request of a typed code; undefined when the code is wrong, decided or expired. The caller must limit attempts (DF-05). */
export async function findDeviceRequest(
  userCode: string,
  deps: Pick<Deps, "store" | "now" | "config">,
): Promise<DeviceRequestView | undefined> {
  const found = await findPending(userCode, deps);
  if (!found) return undefined;
  const { code, client, run } = found;
  const { clientId, applicationName, environment, type } = client;
  return {
    userCode: formatUserCode(code.userCode),
    client: { clientId, applicationName, environment, type },
    scopes: await describeScopes(code.scope, deps),
    requestedFrom: code.requestedFrom,
    requestedAt: code.createdAt,
    expiresAt: code.expiresAt,
    testRun: run !== undefined,
  };
}

/**
 * Records the signed-in user's decision. `gone` when the code is wrong, expired or already decided. `unverified` when the client needs a verified
 * address that the user does not have: the request stays pending. RFC 8628 §3.3, RG-06.
 */
export async function decideDeviceRequest(
  userCode: string,
  decision: "allow" | "deny",
  session: ActiveSession,
  deps: Pick<Deps, "store" | "now" | "random" | "usage">,
): Promise<"approved" | "denied" | "gone" | "unverified"> {
  const found = await findPending(userCode, deps);
  if (!found || (found.run && found.run.operatorId !== session.user.id)) return "gone";
  if (decision === "deny") return (await deps.store.denyDeviceCode(found.code.hash, deps.now())) ? "denied" : "gone";
  if (found.client.options.requireVerifiedEmail && session.user.emailVerifiedAt === null) return "unverified";
  return found.run ? approveTestRun(found.code, found.run, session, deps) : approve(found, session, deps);
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
  deps: Pick<Deps, "store" | "now" | "random" | "usage">,
): Promise<"approved" | "gone"> {
  const now = deps.now();
  const { clientId, scope } = code;
  // Without the session: the device stays connected when the user signs out of this browser.
  const { sessionId: _, ...context } = signInContext(session.session);
  const by = { grantId: mintTimeOrderedId(deps), userId: session.user.id, context };
  const grant = { id: by.grantId, userId: by.userId, clientId, scope, sessionId: null, accessEpoch: session.session.accessEpoch };
  if (!(await deps.store.saveGrant({ ...grant, createdAt: now }, session.session.id))) return "gone";
  await deps.store.saveConsent({ userId: by.userId, clientId, scope, now });
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
