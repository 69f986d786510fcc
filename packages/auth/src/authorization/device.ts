import type { Client } from "../clients/client.ts";
import { mintTimeOrderedId, type Random } from "../crypto/secret.ts";
import type { Deps } from "../deps.ts";
import { describeScopes, type ScopeInWords } from "../resources/registry.ts";
import type { ActiveSession } from "../sessions/session.ts";
import { signInContext } from "../sessions/step-up.ts";
import type { DeviceCode } from "../store/device-codes.ts";

/** No vowels, so no words; no letter that is mistaken for another. RFC 8628 §6.1. */
const ALPHABET = "BCDFGHJKLMNPQRSTVWXZ";
const LENGTH = 8;
/** The largest multiple of the alphabet that fits in a byte: what is above would favour the first letters. */
const FAIR = 256 - (256 % ALPHABET.length);

/** What the device page shows: enough for the user to recognise the device, or not to. RFC 8628 §5.4, DF-10. */
export type DeviceRequestView = {
  /** As shown on the device: XXXX-XXXX. */
  userCode: string;
  client: Pick<Client, "clientId" | "applicationName" | "environment" | "type">;
  scopes: ScopeInWords[];
  requestedFrom: string | null;
  requestedAt: number;
  expiresAt: number;
};

/** Eight letters, each as likely as the other: 34.5 bits. */
export function generateUserCode(random: Random): string {
  let code = "";
  while (code.length < LENGTH) {
    for (const byte of random(LENGTH * 2)) {
      if (byte < FAIR && code.length < LENGTH) code += ALPHABET[byte % ALPHABET.length];
    }
  }
  return code;
}

/** As people read it: XXXX-XXXX. */
export function formatUserCode(userCode: string): string {
  return `${userCode.slice(0, LENGTH / 2)}-${userCode.slice(LENGTH / 2)}`;
}

/** What a person typed, as it is stored: case, dashes and spaces do not matter. Undefined when it cannot be a code. DF-04. */
export function normaliseUserCode(typed: string): string | undefined {
  const code = [...typed.toUpperCase()].filter((letter) => ALPHABET.includes(letter)).join("");
  return code.length === LENGTH ? code : undefined;
}

/** The undecided request behind a typed code; undefined for a wrong, decided or expired one. The caller limits attempts (DF-05). */
export async function findDeviceRequest(
  userCode: string,
  deps: Pick<Deps, "store" | "now" | "config">,
): Promise<DeviceRequestView | undefined> {
  const found = await findPending(userCode, deps);
  if (!found) return undefined;
  const { code, client } = found;
  const { clientId, applicationName, environment, type } = client;
  return {
    userCode: formatUserCode(code.userCode),
    client: { clientId, applicationName, environment, type },
    scopes: await describeScopes(code.scope, deps),
    requestedFrom: code.requestedFrom,
    requestedAt: code.createdAt,
    expiresAt: code.expiresAt,
  };
}

/** The signed-in user's answer. `gone` when the code is wrong, expired or was decided elsewhere meanwhile. RFC 8628 §3.3. */
export async function decideDeviceRequest(
  userCode: string,
  decision: "allow" | "deny",
  session: ActiveSession,
  deps: Pick<Deps, "store" | "now" | "random">,
): Promise<"approved" | "denied" | "gone"> {
  const found = await findPending(userCode, deps);
  if (!found) return "gone";
  if (decision === "deny") return (await deps.store.denyDeviceCode(found.code.hash, deps.now())) ? "denied" : "gone";
  return approve(found.code, session, deps);
}

async function findPending(typed: string, deps: Pick<Deps, "store" | "now">): Promise<{ code: DeviceCode; client: Client } | undefined> {
  const userCode = normaliseUserCode(typed);
  const code = userCode && (await deps.store.findPendingDeviceCode(userCode, deps.now()));
  if (!code) return undefined;
  const client = await deps.store.findClient(code.clientId);
  return client?.enabled ? { code, client } : undefined;
}

/** The approval comes last: a crash before it leaves a grant with nothing hanging on it, and the device goes on waiting. */
async function approve(
  code: DeviceCode,
  session: ActiveSession,
  deps: Pick<Deps, "store" | "now" | "random">,
): Promise<"approved" | "gone"> {
  const now = deps.now();
  const { clientId, scope } = code;
  // Not the session: what a device was allowed outlives the browser in which somebody allowed it.
  const { sessionId: _, ...context } = signInContext(session.session);
  const by = { grantId: mintTimeOrderedId(deps), userId: session.user.id, context };
  const grant = { id: by.grantId, userId: by.userId, clientId, scope, sessionId: null, accessEpoch: session.session.accessEpoch };
  if (!(await deps.store.saveGrant({ ...grant, createdAt: now }, session.session.id))) return "gone";
  await deps.store.saveConsent({ userId: by.userId, clientId, scope, now });
  if (await deps.store.approveDeviceCode(code.hash, by, now)) return "approved";
  await deps.store.revokeGrant(by.grantId, "another decision came first", now);
  return "gone";
}
