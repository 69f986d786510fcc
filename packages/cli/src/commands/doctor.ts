import { doctorTarget, runDoctor, runProxyDoctor, runWebhookDoctor } from "@gatehouse/console/doctor/doctor";
import type { Installation } from "@gatehouse/installation";
import { isProvider, PROVIDERS } from "@gatehouse/webhooks";
import { examine, type Finding } from "@gatehouse/webhooks/doctor";
import { Command } from "commander";
import { examineDatabase, missingDatabase } from "../doctor/database.ts";
import { examineDescriptors } from "../doctor/descriptors.ts";
import { reportFindings } from "../doctor/report.ts";
import { settings } from "../env.ts";
import { UsageError } from "../input.ts";
import { withOpen } from "../installation.ts";

type Options = { endpoint?: string[]; json?: boolean };
type Examine = (installation: Installation) => AsyncGenerator<Finding>;

/** `gatehouse doctor [url] | webhooks | db | proxy`. Exits with 1 if a check fails. */
export function doctorCommand(): Command {
  const doctor = new Command("doctor")
    .summary("Examine the server as providers and clients reach it, and its database")
    .description(
      "Examine this installation: the server from the outside, at its GATEHOUSE_ISSUER, with every configured webhook\n" +
        "endpoint; the proxy in front; the database, and poolers and standbys; clocks; file descriptors.\n" +
        "With a URL: another server, from the outside. Exits with 1 if a check fails; a warning is none.",
    )
    .argument("[url]", "public address of a server, such as https://gate.example")
    .option(
      "--endpoint <name...>",
      "with a URL: which endpoints to examine, by the last segment of their URL (default: stripe)",
    )
    .option("--json", "print JSON")
    .action((url: string | undefined, options: Options) =>
      url === undefined ? examineThis(everything, options) : reportFindings(examineUrl(url, options), options),
    );
  const part = (name: string, description: string, examined: Examine) =>
    doctor
      .command(name)
      .description(description)
      .option("--json", "print JSON")
      .action((_: object, own: Command) => examineThis(examined, own.optsWithGlobals()));
  part("webhooks", "Examine each webhook endpoint as its provider reaches it", ({ deps }) => runWebhookDoctor(deps));
  part(
    "db",
    "Examine the database: version, clock, collation, pooler, prepared statements, limits, standby, connections",
    database,
  );
  part(
    "proxy",
    "Examine what is in front of the server: issuer, TLS, X-Forwarded-For, limits of bodies and cookies, event streams",
    ({ deps }) => runProxyDoctor(deps),
  );
  return doctor;
}

const database: Examine = ({ deps, database: open, settings: { current } }) =>
  examineDatabase(current, { deps, database: open });

async function* everything(installation: Installation): AsyncGenerator<Finding> {
  yield* runDoctor(installation.deps);
  yield await examineDescriptors(installation.settings.current);
  yield* database(installation);
}

async function examineThis(examined: Examine, options: Options): Promise<void> {
  const current = settings();
  const missing = missingDatabase(current);
  if (missing) return reportFindings(only(missing), options);
  return withOpen(current, async (installation) => {
    // A database that cannot be read is a finding of the doctor's own.
    await installation.settings.load().catch(() => undefined);
    return reportFindings(examined(installation), options);
  });
}

async function* only(finding: Finding): AsyncGenerator<Finding> {
  yield finding;
}

function examineUrl(url: string, { endpoint: slugs = ["stripe"] }: Options): AsyncGenerator<Finding> {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new UsageError([{ path: "url", message: "must be an address like https://gate.example" }]);
  const { origin } = new URL(url);
  const now = () => Math.floor(Date.now() / 1000);
  const endpoints = slugs.map((slug) => {
    if (!isProvider(slug))
      throw new UsageError([
        {
          path: "--endpoint",
          message: `${slug} is not a provider. Known providers: ${Object.keys(PROVIDERS).join(", ")}`,
        },
      ]);
    return doctorTarget({ slug, provider: slug, url: `${origin}/api/webhooks/${slug}`, settings: {}, now });
  });
  return examine({ origin, endpoints, now });
}
