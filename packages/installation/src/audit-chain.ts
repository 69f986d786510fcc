import { findAuditChain } from "@gatehouse/console/audit/chain-queries";
import { checkAuditLog } from "@gatehouse/console/audit/check";
import { pruneAuditLog } from "@gatehouse/console/audit/prune";
import { createAuditSealer } from "@gatehouse/console/audit/sealer";
import type { Schedule } from "@gatehouse/work/jobs";
import type { Installation } from "./installation.ts";

const SEAL_EVERY_MS = 1_000;
const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

type Parts = Pick<Installation, "settings" | "database" | "deps" | "log"> & { schedule: Schedule };

/**
 * Seals new rows of the audit log every second, verifies a part of it every minute, notes the end of the chain in the
 * log every hour, and deletes old rows every day. Each server seals: without a lease, which would cost a write every
 * second, since the end of the chain moves by one conditional statement. CO-65.
 */
export function startAuditChain({ settings, database, deps, log, schedule }: Parts): {
  stop(): void;
  settled(): Promise<void>;
} {
  const parts = { ...deps, db: database.background };
  const sealer = createAuditSealer({
    ...parts,
    onMovedBack: (known, found) =>
      log.error(
        { known, found },
        "the end of the audit log moved back; run gatehouse audit verify with the known head",
      ),
  });
  let running: Promise<unknown> | undefined;
  let reported = "";
  const seal = () => {
    running ??= sealer()
      .then(() => {
        reported = "";
      })
      .catch((error: unknown) => {
        const problem = String(error);
        if (problem !== reported)
          log.error({ err: error }, "the audit log could not be sealed; it is tried again each second");
        reported = problem;
      })
      .finally(() => {
        running = undefined;
      });
  };
  const timer = setInterval(seal, SEAL_EVERY_MS).unref();
  seal();
  schedule.every(HOUR, "audit_head", async () => {
    const chain = await findAuditChain(parts.db);
    if (chain) log.info({ number: chain.number, mac: chain.mac }, "the audit log ends with this row");
  });
  schedule.every(MINUTE, "audit_check", () => checkAuditLog(parts));
  schedule.every(DAY, "audit_prune", () => pruneAuditLog(settings.current.auditDays * DAY, parts));
  return {
    stop: () => clearInterval(timer),
    async settled() {
      await running;
    },
  };
}
