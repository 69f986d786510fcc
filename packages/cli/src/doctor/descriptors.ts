import type { Settings } from "@gatehouse/installation";
import { type Finding, failed, ok, skipped, type Verdict, warning } from "@gatehouse/webhooks/doctor";
import { check } from "./finding.ts";

/** Each request takes one, behind most proxies another one waits, and files and the database take some. */
const ENOUGH = 4_096;
const MOST_USED = 0.8;
const ANSWER_WITHIN_MS = 3_000;

/** Examines the file descriptors of the server on this machine, which its metrics show. OP-85 */
export async function examineDescriptors({ process: { ops } }: Pick<Settings, "process">): Promise<Finding> {
  return check("descriptors", "The server may open enough files and connections", await verdictOf(ops));
}

async function verdictOf(ops: Settings["process"]["ops"]): Promise<Verdict> {
  if (!ops) return skipped("GATEHOUSE_OPS_PORT is 0, so the server does not show them.");
  const metrics = await read(`http://${ops.host.includes(":") ? `[${ops.host}]` : ops.host}:${ops.port}/metrics`);
  const [open, most] = [figureOf(metrics, "process_open_fds"), figureOf(metrics, "process_max_fds")];
  if (open === undefined || most === undefined)
    return skipped(`No server of this machine shows them at ${ops.host}:${ops.port}.`);
  const seen = `${open} of ${most} in use`;
  if (open > most * MOST_USED)
    return failed(
      seen,
      "With none left, the server refuses connections.",
      "Raise LimitNOFILE of the unit, or ulimits of the container, and look for who keeps connections open.",
    );
  if (most < ENOUGH)
    return warning(
      seen,
      "A busy hour can use them up, and then connections are refused.",
      `Raise LimitNOFILE of the unit, or ulimits of the container, to ${ENOUGH} at least.`,
    );
  return ok(seen, "There are enough.");
}

async function read(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    return await response.text();
  } catch {
    return ""; // no server runs here
  }
}

function figureOf(metrics: string, name: string): number | undefined {
  const found = new RegExp(`^${name}(?:\\{[^}]*\\})? ([\\d.e+]+)$`, "m").exec(metrics)?.[1];
  return found === undefined ? undefined : Number(found);
}
