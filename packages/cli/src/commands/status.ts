import { styleText } from "node:util";
import { getStatus, type Status, type StatusItem } from "@gatehouse/console/status/status";
import { Command } from "commander";
import { settings } from "../env.ts";
import { withOpen } from "../installation.ts";
import { print } from "../output.ts";

/** By the worst item. sysexits.h: EX_TEMPFAIL for what may mend itself or wait. */
const EXIT_CODES = { ok: 0, warning: 75, failed: 1 } as const;

/** `gatehouse status`. */
export function statusCommand(): Command {
  return new Command("status")
    .description(
      "Show whether the installation is well. Exits with 0 if it is, 75 with a warning, 1 if something failed",
    )
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => {
      // Whatever its schema: an installation that waits for a migration is what one wants to see.
      const status = await withOpen(settings(), ({ deps }) => getStatus(deps));
      if (json) print({ level: status.level, at: new Date(status.at * 1000).toISOString(), items: status.items });
      else process.stdout.write(screenOf(status));
      process.exitCode = EXIT_CODES[status.level];
    });
}

const MARKS = { ok: ["✓", "green"], warning: ["!", "yellow"], failed: ["✗", "red"] } as const;

/** One line for each item; what is not well comes with its alert, which the runbook explains. */
function screenOf({ items }: Pick<Status, "items">): string {
  const width = Math.max(...items.map(({ title }) => title.length));
  const lines = items.map(({ title, alert, level, sentence }: StatusItem) => {
    const [mark, color] = MARKS[level];
    const named = level !== "ok" && alert ? `  ${alert}` : "";
    const shown = process.stdout.isTTY ? styleText(color, mark) : mark;
    return `${shown} ${title.padEnd(width)}  ${sentence}${named}`;
  });
  return `${lines.join("\n")}\n`;
}
