import { resolve } from "node:path";
import { Command } from "commander";
import { checkProduct } from "../check/check.ts";
import { describeChecked } from "../check/report.ts";

/** `gatehouse check`. PK-42 */
export function checkCommand(): Command {
  return new Command("check")
    .summary("List what of a Next product has no check of its caller")
    .description(
      "List the pages, route handlers and Server Actions of a Next product with the check that each one makes, or its entry in the\n" +
        "list of public routes of the proxy. Exits with 1 if one has neither.",
    )
    .argument("[folder]", "the folder of the product", ".")
    .option("--json", "print the list as JSON")
    .option(
      "--public <entry>",
      'a public route ("/about") or Server Action ("app/actions.ts#subscribe"); repeat it',
      collect,
      [],
    )
    .action((folder: string, { json = false, public: said }: { json?: boolean; public: string[] }) => {
      const checked = checkProduct(resolve(folder), said);
      console.log(json ? JSON.stringify(checked, null, 2) : describeChecked(checked));
      if (checked.entries.some(({ problem }) => problem)) process.exitCode = 1;
    });
}

const collect = (value: string, earlier: string[]) => [...earlier, value];
