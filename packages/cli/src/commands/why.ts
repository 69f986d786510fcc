import { DomainError, getRefusal } from "@gatehouse/operations";
import { Command } from "commander";
import { settings } from "../env.ts";
import { withInstallation } from "../installation.ts";
import { refusalText } from "../refusal-text.ts";

/** `gatehouse why <error_id>`: the entry of the failure ledger. Runs whatever the database is sealed with. */
export function whyCommand(): Command {
  return new Command("why")
    .description("prints why a request was refused: the entry of the failure ledger with this error id")
    .argument("<error_id>", "from the answer, its header Gatehouse-Error-Id, or an error page")
    .option("--json", "prints the entry as JSON")
    .action(async (errorId: string, { json = false }: { json?: boolean }) => {
      try {
        const refusal = await withInstallation(settings(), (deps) => getRefusal(errorId, deps), { anySecret: true });
        console.log(json ? JSON.stringify(refusal, null, 2) : refusalText(refusal));
      } catch (cause) {
        if (!(cause instanceof DomainError)) throw cause;
        console.error(cause.message);
        process.exitCode = 1;
      }
    });
}
