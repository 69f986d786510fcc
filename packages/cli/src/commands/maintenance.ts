import { FOLLOW_MAINTENANCE_MS, maintenanceSince, setMaintenance } from "@gatehouse/installation";
import { Command } from "commander";
import { settings } from "../env.ts";
import { withOpen } from "../installation.ts";
import { print } from "../output.ts";

/** `gatehouse maintenance on | off | status`. OP-55. */
export function maintenanceCommand(): Command {
  const command = new Command("maintenance").description("Let running servers read only: they answer writes with 503");
  const within = `within ${FOLLOW_MAINTENANCE_MS / 1000} seconds`;

  command
    .command("on")
    .description(`Begin: every server answers writes with 503 ${within}, and goes on reading`)
    .action(() => change(true));
  command
    .command("off")
    .description(`End: every server writes again ${within}`)
    .action(() => change(false));
  command
    .command("status")
    .description("Show whether maintenance is on")
    .action(() => withOpen(settings(), async ({ deps }) => show(await maintenanceSince(deps.db))));

  return command;
}

function change(on: boolean): Promise<void> {
  return withOpen(settings(), async ({ deps }) => {
    await setMaintenance(on, deps);
    show(await maintenanceSince(deps.db));
  });
}

function show(since: number | undefined): void {
  print({ maintenance: since !== undefined, since: since === undefined ? null : new Date(since * 1000).toISOString() });
}
