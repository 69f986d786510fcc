import { DomainError } from "@gatehouse/console/domain-error";
import { getRefusal } from "@gatehouse/console/failures/refusals";
import { consoleLink } from "@gatehouse/installation";
import { Command } from "commander";
import { settings } from "../env.ts";
import { withInstallation } from "../installation.ts";
import { operator } from "../operator.ts";
import { print } from "../output.ts";
import { refusalText } from "../refusal-text.ts";

/** `gatehouse why <error_id>`: the entry of the failure ledger. Works whatever the database is sealed with. */
export function whyCommand(): Command {
  return new Command("why")
    .description("Explain why a request was rejected, and how to fix it")
    .argument("<error_id>", "from the response, its Gatehouse-Error-Id header, or the error page")
    .option("--json", "print JSON")
    .action(async (errorId: string, { json = false }: { json?: boolean }) => {
      try {
        const installation = settings();
        const refusal = await withInstallation(installation, (deps) => getRefusal(errorId, operator(), deps), {
          anySecret: true,
        });
        if (json) print(refusal);
        else console.log(refusalText(refusal, consoleLink(installation.adminUrl, refusal.errorId)));
      } catch (cause) {
        if (!(cause instanceof DomainError)) throw cause;
        console.error(cause.message);
        process.exitCode = 1;
      }
    });
}
