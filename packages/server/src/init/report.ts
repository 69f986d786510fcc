import { COMMAND } from "@gatehouse/runtime/distribution";
import { createTwoFilesPatch } from "diff";
import { DEV_SCRIPT } from "./package-json.ts";
import type { PackageManager } from "./package-manager.ts";
import type { ByHand, Change, Plan } from "./plan.ts";

export type Done = { plan: Plan; clientId: string; manager: PackageManager; sample: string };

/** What was done, in at most twelve lines and without a secret, and what is left to do. PK-24 */
export function describeDone({ plan: { changes, byHand }, clientId, manager, sample }: Done): string {
  const written = changes.filter(({ before }) => before === undefined).map(({ path }) => path);
  const extended = changes.filter(({ before }) => before !== undefined).map(({ path }) => path);
  const lines = [
    changes.length === 0 ? "Nothing to write: it is all there." : "Your product signs its users in with Gatehouse.",
    ...(written.length > 0 ? [`  Written      ${written.join(", ")}`] : []),
    ...(extended.length > 0 ? [`  Added to     ${extended.join(", ")}`] : []),
    `  Registered   ${clientId}, for development`,
    `  Start        ${manager.name} run ${DEV_SCRIPT}`,
    `  Then open    ${sample}`,
    `  Undo         ${COMMAND} init --undo`,
  ];
  return [...lines, ...describeByHand(byHand)].join("\n");
}

const describeByHand = (byHand: readonly ByHand[]): string[] =>
  byHand.flatMap(({ reason, lines }) => [
    "",
    reason,
    "",
    ...lines
      .trim()
      .split("\n")
      .map((line) => `    ${line}`),
  ]);

/** Secrets are not shown. */
const SECRET = /^(GATEHOUSE_CLIENT_SECRET=).*$/gm;

/** The changes as a patch, what would be installed and registered. PK-21 */
export function describePlan({ plan: { changes, byHand }, clientId, manager }: Done): string {
  const patches = changes.map(patchOf);
  const last = [
    `Would run ${manager.install.join(" ")}, and register ${clientId} for development in .gatehouse.`,
    "Nothing was written.",
  ];
  return [...patches, ...last, ...describeByHand(byHand)].join("\n");
}

function patchOf({ path, before, after }: Change): string {
  const hidden = (text: string) => text.replaceAll(SECRET, "$1…");
  const from = before === undefined ? "/dev/null" : `a/${path}`;
  return createTwoFilesPatch(from, `b/${path}`, hidden(before ?? ""), hidden(after)).replace(/^=+\n/, "");
}
