import { sealAuditLog } from "@gatehouse/console/audit/sealer";
import { type AuditHead, type Verification, verifyAuditLog } from "@gatehouse/console/audit/verify";
import type { OperationDeps } from "@gatehouse/console/deps";
import { Command } from "commander";
import { settings } from "../env.ts";
import { InputError } from "../input.ts";
import { withInstallation } from "../installation.ts";
import { print } from "../output.ts";

/** `gatehouse audit verify`. */
export function auditCommand(): Command {
  const command = new Command("audit").description("Check the audit log");

  command
    .command("verify")
    .summary("Check that no row of the audit log was changed or deleted")
    .description(
      "Check that no row of the audit log was changed, inserted, moved or deleted since it was sealed. Exits with 1 if one was.\n" +
        "Then seals the rows that wait for it, unless something is wrong.\n" +
        "With --head, rows that were cut off at the end are found as well: the server's log notes number and MAC of the last row every hour.",
    )
    .option("--head <number:mac>", "a row that was noted earlier, such as 1042:kZ3v…")
    .action(async ({ head }: { head?: string }) => {
      const noted = head === undefined ? undefined : headOf(head);
      const { result, sealed } = await withInstallation(settings(), (deps) => verifyThenSeal(noted, deps));
      print(summaryOf(result, sealed));
      if (result.state !== "intact") process.exitCode = 1;
    });

  return command;
}

/** Seals only behind what is intact: a new seal would cover rows that somebody changed. */
async function verifyThenSeal(
  noted: AuditHead | undefined,
  deps: OperationDeps,
): Promise<{ result: Verification; sealed: number }> {
  let result: Verification = await verifyAuditLog({ noted }, deps);
  while (result.state === "more") result = await verifyAuditLog({ noted, cursor: result.cursor }, deps);
  return { result, sealed: result.state === "intact" ? await sealAuditLog(deps) : 0 };
}

function summaryOf(
  { state, broken, through, head, findings: { segments, sealedLate, movedBack } }: Verification,
  sealed: number,
) {
  return {
    state,
    ...(broken && { first_broken_row: broken.number, problem: broken.problem }),
    ...(movedBack !== null && { moved_back_before_row: movedBack }),
    ...(segments.length > 0 && { new_secret_at_rows: segments }),
    ...(sealedLate.length > 0 && {
      sealed_late: sealedLate.map(({ from, to, sealedAt }) => ({
        rows: `${from}-${to}`,
        sealed_at: new Date(sealedAt * 1000).toISOString(),
      })),
    }),
    rows_checked_through: through,
    ...(sealed > 0 && { rows_sealed_now: sealed }),
    head,
  };
}

function headOf(text: string): { number: number; mac: string } {
  const [, number, mac] = /^(\d{1,15}):([\w.-]{1,64})$/.exec(text) ?? [];
  if (number !== undefined && mac !== undefined) return { number: Number(number), mac };
  throw new InputError([{ path: "--head", message: "must be a number and a MAC, like 1042:kZ3v…" }]);
}
