import { styleText } from "node:util";
import type { Finding } from "@gatehouse/webhooks/doctor";
import { print } from "../output.ts";

/**
 * Prints each finding as it is made, or everything as JSON at the end. The process exits with 1 if a check failed.
 */
export async function reportFindings(
  findings: AsyncIterable<Finding>,
  { json = false }: { json?: boolean },
): Promise<void> {
  const found: Finding[] = [];
  let group: string | undefined;
  for await (const finding of findings) {
    found.push(finding);
    if (json) continue;
    if (groupOf(finding) !== group) {
      group = groupOf(finding);
      console.log(`\n${styleText("bold", group)}`);
    }
    console.log(textOf(finding));
  }
  if (json) print(found);
  else console.log(`\n${summaryOf(found)}`);
  if (found.some(({ state }) => state === "failed")) process.exitCode = 1;
}

function groupOf({ check, endpoint }: Finding): string {
  if (endpoint !== null) return `/api/webhooks/${endpoint}`;
  return check.startsWith("db_") ? "Database" : "Server";
}

const MARKS = {
  ok: styleText("green", "✓"),
  warning: styleText("yellow", "!"),
  failed: styleText("red", "✗"),
  skipped: styleText("dim", "–"),
} as const;

function textOf({ state, title, seen, sentence, fix }: Finding): string {
  const line = `  ${MARKS[state]} ${title}`;
  if (state === "ok") return line;
  if (state === "skipped") return `${line}: ${styleText("dim", sentence)}`;
  return `${line}\n      Got ${seen}. ${sentence}\n      ${styleText("bold", "Fix:")} ${fix}`;
}

function summaryOf(found: readonly Finding[]): string {
  const count = (state: Finding["state"]) => found.filter((one) => one.state === state).length;
  const [failed, warnings] = [count("failed"), count("warning")];
  if (failed + warnings === 0) return "Everything is as it should be.";
  const parts = [failed > 0 && `${failed} failed`, warnings > 0 && `${warnings} to look at`, `${count("ok")} fine`];
  return parts.filter(Boolean).join(", ");
}
