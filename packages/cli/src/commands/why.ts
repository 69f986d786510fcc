import { DomainError } from "@gatehouse/console/domain-error";
import { getRefusal } from "@gatehouse/console/failures/refusals";
import { getSignIn } from "@gatehouse/console/sign-ins/sign-ins";
import { consoleLink } from "@gatehouse/installation";
import { Command } from "commander";
import { settings } from "../env.ts";
import { withInstallation } from "../installation.ts";
import { operator } from "../operator.ts";
import { print } from "../output.ts";
import { refusalText } from "../refusal-text.ts";
import { signInText } from "../sign-in-text.ts";

/**
 * `gatehouse why <error_id>`: the entry of the failure ledger or the sign-in log. Works whatever the database is sealed
 * with.
 */
export function whyCommand(): Command {
  return new Command("why")
    .description("Explain why a request was rejected or a sign-in failed, and how to fix it")
    .argument("<error_id>", "from the response, its Gatehouse-Error-Id header, or the error page")
    .option("--json", "print JSON")
    .action(async (errorId: string, { json = false }: { json?: boolean }) => {
      try {
        const installation = settings();
        const link = (id: string) => consoleLink(installation.adminUrl, id);
        const [found, text] = await withInstallation(
          installation,
          async (deps) => {
            const signIn = await orNothing(getSignIn(errorId, operator(), deps));
            if (signIn) return [signIn, signInText(signIn, link(signIn.id))];
            const refusal = await getRefusal(errorId, operator(), deps);
            return [refusal, refusalText(refusal, link(refusal.errorId))];
          },
          { anySecret: true },
        );
        if (json) print(found);
        else console.log(text);
      } catch (cause) {
        if (!(cause instanceof DomainError)) throw cause;
        console.error(cause.message);
        process.exitCode = 1;
      }
    });
}

async function orNothing<Found>(asked: Promise<Found>): Promise<Found | undefined> {
  try {
    return await asked;
  } catch (cause) {
    if (cause instanceof DomainError && cause.kind === "not_found") return undefined;
    throw cause;
  }
}
