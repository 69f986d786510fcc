import {
  createWebhookEndpoint,
  listWebhookEndpoints,
  removeWebhookEndpoint,
  setWebhookEndpointEnabled,
} from "@gatehouse/console/webhook-endpoints/endpoints";
import { webhookEndpointDraft } from "@gatehouse/console/webhook-endpoints/schemas";
import type { EndpointView } from "@gatehouse/console/webhook-endpoints/view";
import { isLoopbackUrl } from "@gatehouse/runtime/loopback";
import { Command, Option } from "commander";
import { settings } from "../env.ts";
import { InputError, parseInput } from "../input.ts";
import { withInstallation } from "../installation.ts";
import { operator } from "../operator.ts";
import { isoTime, print } from "../output.ts";

type CreateOptions = { environment?: string; name?: string; set: Record<string, unknown> };

/** `gatehouse webhook-endpoint list | create | enable | disable | remove`. */
export function webhookEndpointCommand(): Command {
  const command = new Command("webhook-endpoint").description("Manage the URLs that receive webhooks");

  command
    .command("list")
    .description("List the configured endpoints with their URLs")
    .action(async () => print((await withInstallation(settings(), listWebhookEndpoints)).map(viewOf)));

  command
    .command("create")
    .description("Create an endpoint and print its URL")
    .argument("<provider>", "name of the provider, such as stripe")
    .argument("<endpoint>", "last segment of its URL, such as stripe-staging")
    .addOption(
      new Option(
        "--environment <environment>",
        "the environment that it receives events of (default: development if the issuer is on this machine, or production)",
      ).choices(["development", "staging", "production"]),
    )
    .option("--name <name>", "name to recognize it by")
    .option(
      "--set <setting=value>",
      "a setting of the provider, such as toleranceSeconds=120; can be repeated",
      readSetting,
      {},
    )
    .action(async (provider: string, slug: string, { set, ...options }: CreateOptions) => {
      const installation = settings();
      const environment = isLoopbackUrl(installation.config.issuer) && slug !== provider ? "development" : "production";
      const draft = parseInput(
        webhookEndpointDraft,
        { provider, slug, environment, ...options, settings: set },
        fieldOf,
      );
      print(viewOf(await withInstallation(installation, (deps) => createWebhookEndpoint(draft, operator(), deps))));
    });

  for (const [verb, enabled, description] of [
    ["enable", true, "Enable an endpoint"],
    ["disable", false, "Disable an endpoint: it answers 404, and providers stop retrying after a while"],
  ] as const) {
    command
      .command(verb)
      .description(description)
      .argument("<endpoint>", "last segment of its URL")
      .action(async (slug: string) => {
        print(
          viewOf(
            await withInstallation(settings(), (deps) =>
              setWebhookEndpointEnabled({ slug, enabled }, operator(), deps),
            ),
          ),
        );
      });
  }

  command
    .command("remove")
    .description("Remove an endpoint with its secrets, if the log has no delivery of it")
    .argument("<endpoint>", "last segment of its URL")
    .action(async (slug: string) => {
      await withInstallation(settings(), (deps) => removeWebhookEndpoint(slug, operator(), deps));
      print({ removed: slug });
    });

  return command;
}

/** `name=value`; numbers and booleans are read as such. */
function readSetting(text: string, settings: Record<string, unknown>): Record<string, unknown> {
  const at = text.indexOf("=");
  if (at < 1) throw new InputError([{ path: "--set", message: `must be like toleranceSeconds=120, not ${text}` }]);
  const value = text.slice(at + 1);
  const plain = /^(true|false|\d{1,9})$/.test(value) ? JSON.parse(value) : value;
  return { ...settings, [text.slice(0, at)]: plain };
}

const fieldOf = (field: string) => (field === "slug" ? "endpoint" : field);

function viewOf({
  slug,
  createdAt,
  lastAcceptedAt,
  lastRefusedAt,
  lastRefusedReason,
  secrets,
  configured: _,
  ...rest
}: EndpointView) {
  return {
    endpoint: slug,
    ...rest,
    created_at: isoTime(createdAt),
    last_accepted_at: isoTime(lastAcceptedAt),
    last_refused_at: isoTime(lastRefusedAt),
    last_refused_reason: lastRefusedReason,
    secrets: { signing: secrets.signing, api_keys: secrets.apiKeys, unreadable: secrets.unreadable },
  };
}
