import type { OperationDeps } from "@gatehouse/console/deps";
import { findUnreadable, isSecretInForce, sealStatus, type Unreadable } from "@gatehouse/installation";

/** What `gatehouse seal status` prints. */
export async function readSealStatus(deps: OperationDeps) {
  const { keys, auditLog, servers } = await sealStatus(deps);
  return {
    in_force: await isSecretInForce(deps),
    keys: keys.map(({ keyId, ...key }) => ({ key_id: keyId, ...key })),
    audit_log: auditLog,
    servers: servers.map(({ keys: [sealsWith, ...opens], seenAt, ...server }) => ({
      ...server,
      seals_with: sealsWith,
      also_opens: opens,
      seen_at: new Date(seenAt * 1000).toISOString(),
    })),
    cannot_be_decrypted: unreadableSummary(await findUnreadable(deps)),
  };
}

/** The keys and secrets in use that cannot be decrypted, and what replaces them. */
export function unreadableSummary({ signingKeys, webhookSecrets }: Unreadable) {
  return {
    signing_keys: { count: signingKeys.length, replaced: "at the next start", list: signingKeys },
    webhook_secrets: { count: webhookSecrets.length, replaced: "when you enter them again", list: webhookSecrets },
  };
}
