import { consoleLink } from "@gatehouse/installation";
import { isProvider, PROVIDERS } from "@gatehouse/webhooks";
import { Command } from "commander";
import { variable } from "../env.ts";
import { InputError } from "../input.ts";
import { type StreamedDelivery, streamDeliveries } from "../remote/delivery-stream.ts";
import { forwardAsProvider, forwardToProduct } from "../remote/forward-delivery.ts";
import { signIn } from "../remote/sign-in.ts";

type Options = {
  server?: string;
  provider?: string;
  endpoint?: string;
  forward?: string;
  env?: string;
  asProvider?: boolean;
  json?: boolean;
  production?: boolean;
};

/** What forwarded events are signed with. */
const SECRET = /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/;

/** `gatehouse tail`: shows deliveries as a running server receives them, and forwards them to this machine. */
export function tailCommand(): Command {
  return new Command("tail")
    .summary("Show deliveries as they arrive, and forward them")
    .description(
      "Show webhook deliveries as a running server receives them, and forward them to a URL of this machine.\n" +
        "Each event is sent as the server forwards events to a product: signed with a local secret and the current time. Nothing leaves the server and this machine.\n" +
        "Bodies of production need a sign-in within the last 10 minutes: --production asks for one. Without it, such deliveries are listed only.",
    )
    .option("--server <url>", "the server to read from (default: GATEHOUSE_ISSUER, or http://localhost:3000)")
    .option("--provider <provider>", "only this provider, such as stripe")
    .option("--endpoint <name>", "only this endpoint")
    .option("--forward <url>", "post each accepted event to this URL")
    .option("--env <variable>", "sign with the secret in this environment variable instead of a new one")
    .option("--as-provider", "sign as the provider does, to forward to a Gatehouse on this machine")
    .option("--production", "sign in again, to read and forward bodies of production for 10 minutes")
    .option("--json", "print one JSON object for each delivery")
    .action(tail);
}

async function tail(options: Options): Promise<void> {
  const { provider, endpoint, forward, json = false } = options;
  if (provider !== undefined && !isProvider(provider))
    throw new InputError([
      { path: "--provider", message: `is not a known provider. Known providers: ${Object.keys(PROVIDERS).join(", ")}` },
    ]);
  if (forward !== undefined && !/^https?:\/\//.test(forward))
    throw new InputError([{ path: "--forward", message: "must be a URL like http://localhost:4000/hook" }]);
  const secret = options.env === undefined ? undefined : variable(options.env).trim();
  if (secret !== undefined && !options.asProvider && !SECRET.test(secret))
    throw new InputError([
      { path: "--env", message: `${options.env} must be whsec_ and base64, as the console shows it` },
    ]);
  const server = (options.server ?? (variable("GATEHOUSE_ISSUER") || "http://localhost:3000")).replace(/\/+$/, "");

  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  const adminUrl = adminUrlOf(server);
  const session = await signIn(server, (line) => console.error(line));
  if (options.production) session.reject();
  await session.accessToken(); // the user signs in before anything else is printed
  const send = options.asProvider ? forwardAsProvider : forwardToProduct;
  const forwardDelivery = forward === undefined ? undefined : send({ url: forward, secret, tell: console.error });

  const onConnected = (hidden: readonly string[]) => {
    console.error(`Waiting for deliveries at ${server}. Press Ctrl-C to stop.`);
    if (hidden.length > 0) console.error(hiddenText(hidden, options.production ?? false));
  };
  const onRetry = (problem: string, seconds: number) =>
    console.error(`Lost the connection (${problem}). Trying again in ${seconds} s.`);
  const filter = { provider, endpoint };
  for await (const delivery of streamDeliveries({
    server,
    session,
    filter,
    onConnected,
    onRetry,
    signal: stop.signal,
  })) {
    const forwarded = await forwardDelivery?.(delivery);
    const link = adminUrl && consoleLink(adminUrl, delivery.id);
    console.log(json ? JSON.stringify({ ...delivery, forwarded, console: link }) : lineOf(delivery, forwarded, link));
  }
}

function hiddenText(hidden: readonly string[], asked: boolean): string {
  const how = asked
    ? "The sign-in in your browser was more than 10 minutes ago. Sign out there, and run this command again."
    : "Run this command with --production to sign in again.";
  return `Bodies of ${hidden.join(" and ")} are hidden. ${how}`;
}

/** The console of the server that is read from; undefined if the environment does not say and it is another machine. */
function adminUrlOf(server: string): string | undefined {
  const given = variable("GATEHOUSE_ADMIN_URL");
  if (given !== "") return given.replace(/\/+$/, "");
  return new URL(server).hostname === "localhost" ? `http://localhost:${variable("ADMIN_PORT") || "3001"}` : undefined;
}

/** One line for a delivery; a rejected one has the link to its page, which says why. */
function lineOf(delivery: StreamedDelivery, forwarded: string | undefined, link: string | undefined): string {
  const { receivedAt, endpoint, outcome, reason, eventType, eventId } = delivery;
  const time = new Date(receivedAt * 1000).toISOString().slice(11, 19);
  const result = outcome === "rejected" ? `rejected (${reason})` : outcome;
  const parts = [
    time,
    endpoint,
    result,
    eventType ?? "–",
    eventId ?? "–",
    ...(outcome === "rejected" && link ? [link] : []),
  ];
  return parts.join("  ") + (forwarded === undefined ? "" : `  → ${forwarded}`);
}
