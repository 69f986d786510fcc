import { statusOf } from "./error.ts";
import { ERRORS, type ErrorRow } from "./table.ts";

const INTRODUCTION = `# Every refusal

Written by \`pnpm --filter @gatehouse/auth errors\` from \`packages/auth/src/errors/table.ts\`; a test fails when the two differ.

A refusal says little on the wire and all in the failure ledger. JSON answers are \`{ "error", "error_description", "error_id" }\`, with the id in
the header \`Gatehouse-Error-Id\` too (an \`invalid_client\` has it in the header only); in a redirect to the client the id ends
\`error_description\`; our own pages print it. \`npm run gatehouse -- why <error_id>\` prints the entry: when, where and for which client the request was refused,
the *cause* as in this table with its details, who can act on it, and what to do. The procedures \`refusals.one\` and \`refusals.list\` serve the same
to admins and developers. The ledger keeps the newest 10,000 entries. Ordinary steps, like a device that has to wait, are not in it and have no id.

A guarded route adds a \`WWW-Authenticate\` challenge with the same error. \`/authorize\` shows an error on our own page as long as the
client and its redirect URI are not proven, and sends it to the client afterwards; a redirect has status 303 and the error in its query.
`;

/** `docs/errors.md` as it has to be. */
export function errorPage(): string {
  const lines = Object.entries(ERRORS).map(([cause, row]) => lineOf(cause, row));
  const table = ["| cause in the ledger | error | status | where | when | what to do |", "|---|---|---|---|---|---|", ...lines];
  return `${INTRODUCTION}\n${table.join("\n")}\n`;
}

function lineOf(cause: string, { codes, statuses, where, when, remedy }: ErrorRow): string {
  const status = [...new Set(statuses ?? codes.map(statusOf))].sort((a, b) => a - b).join(", ");
  return `| \`${cause}\` | ${codes.map((code) => `\`${code}\``).join(" ")} | ${status} | ${where} | ${when} | ${remedy} |`;
}
