import type { ClientBlock, ClientBlockKey } from "@gatehouse/auth";
import { blockClients, listClientBlocks, unblockClients } from "@gatehouse/console/client-blocks/client-blocks";
import { clientBlockDraft } from "@gatehouse/console/client-blocks/schemas";
import { Command } from "commander";
import { settings } from "../env.ts";
import { InputError, parseInput, parseTime } from "../input.ts";
import { withInstallation } from "../installation.ts";
import { operator } from "../operator.ts";
import { isoTime, print } from "../output.ts";

type Subject = { id?: string; host?: string; softwareId?: string };

/** `gatehouse client block | unblock | blocked`. */
export function clientCommand(): Command {
  const client = new Command("client").description("Block clients that registered themselves");

  withSubject(client.command("block").description("Disable matching clients now, and reject them from now on"))
    .option("--reason <text>", "note for other admins", "")
    .option(
      "--until <time>",
      "when the block ends, like 2027-01-31 or 2027-01-31T12:00:00Z (default: when it is lifted)",
    )
    .action(async ({ reason, until, ...subject }: Subject & { reason: string; until?: string }) => {
      const expiresAt = until === undefined ? null : parseTime("--until", until);
      const draft = parseInput(clientBlockDraft, { ...subjectOf(subject), reason, expiresAt });
      const { block, disabled } = await withInstallation(settings(), (deps) => blockClients(draft, operator(), deps));
      print({ ...viewOf(block), clients_disabled: disabled });
    });

  withSubject(client.command("unblock").description("Lift a block")).action(async (subject: Subject) => {
    const key = subjectOf(subject);
    await withInstallation(settings(), (deps) => unblockClients(key, operator(), deps));
    print({ unblocked: key.value });
  });

  client
    .command("blocked")
    .description("List the blocks in force")
    .action(async () => print((await withInstallation(settings(), listClientBlocks)).map(viewOf)));
  return client;
}

function withSubject(command: Command): Command {
  return command
    .option("--id <client_id>", "the client with this id")
    .option("--host <host>", "clients whose metadata document is on this host or a subdomain")
    .option("--software-id <software_id>", "clients that registered with this software_id");
}

function subjectOf({ id, host, softwareId }: Subject): ClientBlockKey {
  const named: ClientBlockKey[] = [
    ...(id === undefined ? [] : [{ kind: "client_id" as const, value: id }]),
    ...(host === undefined ? [] : [{ kind: "document_host" as const, value: host }]),
    ...(softwareId === undefined ? [] : [{ kind: "software_id" as const, value: softwareId }]),
  ];
  const [only] = named;
  if (only && named.length === 1) return only;
  throw new InputError([{ path: "", message: "use exactly one of --id, --host and --software-id" }]);
}

const viewOf = ({ kind, value, reason, createdAt, expiresAt }: ClientBlock) => ({
  [kind]: value,
  reason,
  blocked_at: isoTime(createdAt),
  until: isoTime(expiresAt),
});
