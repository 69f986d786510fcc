import { randomBytes } from "node:crypto";
import { sendSigned } from "@gatehouse/console/webhook-endpoints/send-signed";
import { isProvider, mintLocalSecret, PROVIDERS, type ProviderSlug, sampleBody } from "@gatehouse/webhooks";
import { Command, Option } from "commander";
import { closest, distance } from "fastest-levenshtein";
import { variable } from "../env.ts";
import { InputError } from "../input.ts";
import { print } from "../output.ts";

const MAX_TYPOS = 4;

type Options = { endpoint?: string; url?: string; env?: string; id?: string };

/** `gatehouse trigger <provider> [event]`: sends a signed sample delivery. */
export function triggerCommand(): Command {
  return new Command("trigger")
    .summary("Send a signed sample delivery")
    .description(
      "Send a signed sample delivery to any URL, as the provider would. Without an event, lists the samples.",
    )
    .argument("<provider>", "name of the provider, such as stripe")
    .argument("[event]", "event type, such as invoice.paid")
    .option("--endpoint <endpoint>", "last segment of the endpoint's URL (default: the provider's default endpoint)")
    .addOption(
      new Option(
        "--url <url>",
        "where to send it (default: that endpoint at GATEHOUSE_ISSUER, or http://localhost:3000)",
      ).conflicts("endpoint"),
    )
    .option(
      "--env <variable>",
      "sign with the secret in this environment variable; without it, with a new one that is printed",
    )
    .option("--id <id>", "the event's id, to send the same event again")
    .action(trigger);
}

async function trigger(
  provider: string,
  event: string | undefined,
  { endpoint = provider, url, env, id }: Options,
): Promise<void> {
  if (!isProvider(provider)) throw unknown("provider", provider, Object.keys(PROVIDERS));
  const { samples } = PROVIDERS[provider];
  if (event === undefined) return print(Object.keys(samples));

  const eventId = id ?? `evt_${randomBytes(12).toString("hex")}`;
  const body = sampleBody(PROVIDERS[provider], event, eventId);
  if (!body) throw unknown("event", event, Object.keys(samples));
  const secret = secretFor(provider, env);
  const target =
    url ??
    `${(variable("GATEHOUSE_ISSUER") || "http://localhost:3000").replace(/\/+$/, "")}/api/webhooks/${encodeURIComponent(endpoint)}`;
  const result = await sendSigned({
    provider,
    url: target,
    secret,
    body,
    id: eventId,
    type: event,
  });
  if ("problem" in result) throw new Error(result.problem);
  print({ url: target, event_id: eventId, status: result.status, ms: result.ms, response: jsonOr(result.text) });
  if (result.status < 200 || result.status > 299) process.exitCode = 1;
}

function secretFor(provider: ProviderSlug, env: string | undefined): string {
  const given = env === undefined ? undefined : variable(env).trim();
  if (given === "") throw new InputError([{ path: "--env", message: `the environment variable ${env} is not set` }]);
  if (given !== undefined) return given;
  const secret = mintLocalSecret(PROVIDERS[provider], randomBytes);
  if (secret === undefined) throw new Error(`Only ${PROVIDERS[provider].name} can sign its deliveries.`);
  console.error(`Signed with a new secret, which the receiver has to know: ${secret}`);
  return secret;
}

function unknown(what: "provider" | "event", given: string, known: readonly string[]): InputError {
  const near = closest(given, [...known]);
  const hint = distance(given, near) <= MAX_TYPOS ? `Did you mean ${near}?` : `Known: ${known.join(", ")}`;
  return new InputError([{ path: what, message: `${given} is not a known ${what}. ${hint}` }]);
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
