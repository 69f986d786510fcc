import { gatehouse } from "@gatehouse/cli/main";
import { adminCommand, allCommand, healthCommand, webCommand } from "./commands/serve.ts";

void gatehouse(process.argv.slice(2), [
  { title: "Run:", commands: [webCommand(), adminCommand(), allCommand(), healthCommand()] },
]);
