import { webhookSecretDraft, webhookSecretQuery } from "@gatehouse/console/webhook-secrets/schemas";
import {
  addWebhookSecret,
  endWebhookSecret,
  listWebhookSecrets,
  type WebhookSecretView,
} from "@gatehouse/console/webhook-secrets/webhook-secrets";
import { Command } from "commander";
import { settings, variable } from "../env.ts";
import { parseInput, parseTime, readStandardInput, TIME } from "../input.ts";
import { withInstallation } from "../installation.ts";
import { operator } from "../operator.ts";
import { isoTime, print, report } from "../output.ts";
import { takesId } from "./takes-id.ts";

type AddOptions = { name?: string; env?: string; endsAt?: string; endpoint?: string; apiKey?: boolean };

/** `gatehouse webhook-secret list | add | end`. */
export function webhookSecretCommand(): Command {
  const command = new Command("webhook-secret").description(
    "Manage the signing secrets and API keys of webhook endpoints",
  );

  command
    .command("list")
    .description("List active and recently ended secrets, without the secrets themselves")
    .option("--provider <provider>", "list only the secrets of this provider's default endpoint")
    .option("--endpoint <endpoint>", "list only this endpoint's secrets")
    .action(async (options: { provider?: string; endpoint?: string }) => {
      const query = parseInput(webhookSecretQuery, options, (field) => `--${field}`);
      const secrets = await withInstallation(settings(), (deps) => listWebhookSecrets(query, deps));
      print(secrets.map(viewOf));
    });

  command
    .command("add")
    .summary("Add a signing secret")
    .description(
      "Add a signing secret. The endpoint's other secrets stay valid.\n" +
        "Reads the secret from standard input, so that it does not end up in the shell's history.",
    )
    .argument("<provider>", "name of the provider, such as stripe")
    .option("--endpoint <endpoint>", "add it to this endpoint instead of the provider's default one")
    .option("--api-key", "it is an API key for calls to the provider; it never verifies a signature")
    .option("--name <name>", "name to recognize the secret by")
    .option("--env <variable>", "read the secret from this environment variable instead")
    .option("--ends-at <time>", `when the secret stops being valid: ${TIME}`)
    .action(async (provider: string, { name, env, endsAt, endpoint, apiKey }: AddOptions) => {
      const secret = env === undefined ? await askForSecret() : variable(env);
      const kind = apiKey ? "api_key" : "signing";
      const draft = parseInput(webhookSecretDraft, {
        provider,
        endpoint,
        kind,
        secret,
        name,
        endsAt: optionalTime("--ends-at", endsAt),
      });
      const { warnings, ...view } = await withInstallation(settings(), (deps) =>
        addWebhookSecret(draft, operator(), deps),
      );
      for (const warning of warnings) report(warning);
      print(viewOf(view));
    });

  takesId(
    command.command("end").description("End a signing secret, now or at a later time"),
    "id of the secret, from `webhook-secret list`",
  )
    .option("--at <time>", `end it at this time: ${TIME}`)
    .option("--last", "end it even if it is the endpoint's last active secret; its deliveries are then rejected")
    .action(async (id: string, { at, last = false }: { at?: string; last?: boolean }) => {
      const end = { id, endsAt: optionalTime("--at", at), confirmLast: last };
      print(viewOf(await withInstallation(settings(), (deps) => endWebhookSecret(end, operator(), deps))));
    });

  return command;
}

function askForSecret(): Promise<string> {
  if (process.stdin.isTTY) console.error("Paste the signing secret, then press Enter and Ctrl-D:");
  return readStandardInput();
}

function optionalTime(option: string, text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseTime(option, text);
}

function viewOf({ createdAt, endsAt, lastMatchedAt, rotation, ...rest }: WebhookSecretView) {
  const times = { created_at: isoTime(createdAt), ends_at: isoTime(endsAt), last_matched_at: isoTime(lastMatchedAt) };
  return { ...rest, ...times, use: rotation?.state ?? null };
}
