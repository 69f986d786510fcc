import { readFileSync } from "node:fs";
import { addWebhookSecret, endWebhookSecret, invalid, listWebhookSecrets, type WebhookSecretView } from "@gatehouse/operations";
import { webhookSecretDraft, webhookSecretQuery } from "@gatehouse/operations/schemas";
import { Command } from "commander";
import { settings, variable } from "../env.ts";
import { withInstallation } from "../installation.ts";

const AT = "a time like 2027-01-31T12:00:00Z";

/** `gatehouse webhook-secret list | add | end`. */
export function webhookSecretCommand(): Command {
  const command = new Command("webhook-secret").description("manages the secrets that webhook providers sign with");

  command
    .command("list")
    .description("every secret that is active or ended lately, without the secrets themselves")
    .option("--provider <provider>", "only of this one")
    .action(async (options: { provider?: string }) => {
      const secrets = await withInstallation(settings(), (deps) => listWebhookSecrets(webhookSecretQuery.parse(options), deps));
      print(secrets.map(inWords));
    });

  command
    .command("add")
    .description("adds a secret beside those that the provider has; reads it from standard input, so that no shell records it")
    .argument("<provider>")
    .option("--name <name>")
    .option("--env <variable>", "reads the secret from this environment variable instead")
    .option("--ends-at <time>", AT)
    .action(async (provider: string, { name, env, endsAt }: { name?: string; env?: string; endsAt?: string }) => {
      const secret = env === undefined ? readStandardInput() : variable(env);
      const draft = webhookSecretDraft.safeParse({ provider, secret, name, endsAt: instantOf("--ends-at", endsAt) });
      if (!draft.success) throw invalid(draft.error.issues.map(({ path, message }) => ({ path: path.join("."), message })));
      print(inWords(await withInstallation(settings(), (deps) => addWebhookSecret(draft.data, deps))));
    });

  command
    .command("end")
    .description("ends a secret at once, or at a time: it then verifies nothing any more")
    .argument("<id>")
    .option("--at <time>", AT)
    .option("--last", "also if it is the last active one, so that the provider's deliveries are refused")
    .action(async (id: string, { at, last = false }: { at?: string; last?: boolean }) => {
      const end = { id, endsAt: instantOf("--at", at), confirmLast: last };
      print(inWords(await withInstallation(settings(), (deps) => endWebhookSecret(end, deps))));
    });

  return command;
}

function readStandardInput(): string {
  if (process.stdin.isTTY) console.error("Paste the signing secret, then press Enter and Ctrl-D:");
  return readFileSync(0, "utf8");
}

function instantOf(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const milliseconds = /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(milliseconds)) throw invalid([{ path: option, message: `must be ${AT}` }]);
  return Math.floor(milliseconds / 1000);
}

function inWords({ createdAt, endsAt, lastMatchedAt, ...rest }: WebhookSecretView) {
  return { ...rest, created_at: instant(createdAt), ends_at: instant(endsAt), last_matched_at: instant(lastMatchedAt) };
}

const instant = (seconds: number | null) => (seconds === null ? null : new Date(seconds * 1000).toISOString());
const print = (value: unknown) => console.log(JSON.stringify(value, null, 2));
