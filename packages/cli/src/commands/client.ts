import type { ClientBlock, ClientBlockKey } from "@gatehouse/auth";
import { blockClients, listClientBlocks, unblockClients } from "@gatehouse/operations";
import { clientBlockDraft } from "@gatehouse/operations/schemas";
import { Command } from "commander";
import { settings } from "../env.ts";
import { withInstallation } from "../installation.ts";
import { ManifestError } from "../problems.ts";

type Subject = { id?: string; host?: string; softwareId?: string };

const print = (value: unknown) => console.log(JSON.stringify(value, null, 2));

/** `gatehouse client block`, `unblock` and `blocked`. */
export function clientCommand(): Command {
  const client = new Command("client").description("blocks clients that no admin registered");

  withSubject(client.command("block").description("disables them at once, and refuses them from now on"))
    .option("--reason <text>", "for admins to read", "")
    .option("--until <time>", "when the block ends, like 2027-01-31 or 2027-01-31T12:00Z; without it, when it is lifted")
    .action(async ({ reason, until, ...subject }: Subject & { reason: string; until?: string }) => {
      const draft = clientBlockDraft.safeParse({ ...subjectOf(subject), reason, expiresAt: until === undefined ? null : instantOf(until) });
      if (!draft.success) throw new ManifestError(draft.error.issues.map(({ path, message }) => ({ path: path.join("."), message })));
      const { block, disabled } = await withInstallation(settings(), (deps) => blockClients(draft.data, deps));
      print({ ...viewOf(block), clients_disabled: disabled });
    });

  withSubject(client.command("unblock").description("lifts a block")).action(async (subject: Subject) => {
    const key = subjectOf(subject);
    await withInstallation(settings(), (deps) => unblockClients(key, deps));
    print({ unblocked: key.value });
  });

  client
    .command("blocked")
    .description("every block in force")
    .action(async () => print((await withInstallation(settings(), listClientBlocks)).map(viewOf)));
  return client;
}

function withSubject(command: Command): Command {
  return command
    .option("--id <client_id>", "one client")
    .option("--host <host>", "every client whose metadata document is on this host or below it")
    .option("--software-id <software_id>", "every client that names this software_id");
}

function subjectOf({ id, host, softwareId }: Subject): ClientBlockKey {
  const named: ClientBlockKey[] = [
    ...(id === undefined ? [] : [{ kind: "client_id" as const, value: id }]),
    ...(host === undefined ? [] : [{ kind: "document_host" as const, value: host }]),
    ...(softwareId === undefined ? [] : [{ kind: "software_id" as const, value: softwareId }]),
  ];
  const [only] = named;
  if (only && named.length === 1) return only;
  throw new ManifestError([{ path: "", message: "name one of --id, --host and --software-id" }]);
}

function instantOf(text: string): number {
  const milliseconds = Date.parse(text);
  if (Number.isNaN(milliseconds)) throw new ManifestError([{ path: "--until", message: "write a time like 2027-01-31T12:00Z" }]);
  return Math.floor(milliseconds / 1000);
}

const instant = (seconds: number) => new Date(seconds * 1000).toISOString();

const viewOf = ({ kind, value, reason, createdAt, expiresAt }: ClientBlock) => ({
  [kind]: value,
  reason,
  blocked_at: instant(createdAt),
  until: expiresAt === null ? null : instant(expiresAt),
});
