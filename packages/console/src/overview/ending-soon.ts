import type { OperationDeps } from "../deps.ts";
import { type EndingSecret, listEndingSecrets } from "./queries.ts";

const MOST = 20;
const IN_USE_SECONDS = 7 * 86_400;

/** `inUse`: used within the last seven days. */
export type EndingSoon = EndingSecret & { inUse: boolean };

/** The secrets that end first, those in use before the others. CO-14. */
export async function listEndingSoon({ reads, now }: Pick<OperationDeps, "reads" | "now">): Promise<EndingSoon[]> {
  const secrets = await listEndingSecrets(reads, { now: now(), usedAfter: now() - IN_USE_SECONDS, limit: MOST });
  return secrets
    .map((secret) => ({ ...secret, inUse: isInUse(secret, now()) }))
    .sort((one, other) => Number(other.inUse) - Number(one.inUse) || one.expiresAt - other.expiresAt)
    .slice(0, MOST);
}

/** Secrets in use that end within `seconds`, those that end first before the others. */
export async function listEndingInUse(
  seconds: number,
  limit: number,
  { reads, now }: Pick<OperationDeps, "reads" | "now">,
): Promise<EndingSecret[]> {
  const at = now();
  const ending = await listEndingSecrets(reads, {
    now: at,
    usedAfter: at - IN_USE_SECONDS,
    until: at + seconds,
    inUse: true,
    limit,
  });
  return ending.sort((one, other) => one.expiresAt - other.expiresAt).slice(0, limit);
}

const isInUse = ({ lastUsedAt }: Pick<EndingSecret, "lastUsedAt">, now: number): boolean =>
  lastUsedAt !== null && now - lastUsedAt < IN_USE_SECONDS;
