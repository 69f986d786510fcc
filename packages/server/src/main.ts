import { gatehouse } from "@gatehouse/cli/main";
import { checkCommand } from "./commands/check.ts";
import { devCommand } from "./commands/dev.ts";
import { initCommand } from "./commands/init.ts";
import { adminCommand, allCommand, healthCommand, webCommand } from "./commands/serve.ts";

void gatehouse(process.argv.slice(2), [
  { title: "Add to a product:", commands: [initCommand(), checkCommand()] },
  { title: "Run:", commands: [devCommand(), webCommand(), adminCommand(), allCommand(), healthCommand()] },
]);
