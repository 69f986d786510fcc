import { gatehouse } from "@gatehouse/cli/main";
import { checkCommand } from "./commands/check.ts";
import { devCommand } from "./commands/dev.ts";
import { initCommand } from "./commands/init.ts";
import { adminCommand, allCommand, healthCommand, webCommand } from "./commands/serve.ts";

// Hosts differ in whether the command of a container goes to its entry point or replaces it.
const given = process.argv.slice(2);

void gatehouse(given[0] === "gatehouse" ? given.slice(1) : given, [
  { title: "Add to a product:", commands: [initCommand(), checkCommand()] },
  { title: "Run:", commands: [devCommand(), webCommand(), adminCommand(), allCommand(), healthCommand()] },
]);
