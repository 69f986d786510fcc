import { styleText } from "node:util";
import { doctorTarget, runDoctor } from "@gatehouse/console/doctor/doctor";
import { isProvider, PROVIDERS } from "@gatehouse/webhooks";
import { examine, type Finding } from "@gatehouse/webhooks/doctor";
import { Command } from "commander";
import { settings } from "../env.ts";
import { InputError } from "../input.ts";
import { withOpen } from "../installation.ts";
import { print } from "../output.ts";

type Options = { endpoint?: string[]; json?: boolean };

/** `gatehouse doctor [url]`: examines a server from the outside. Exits with 1 if a check fails. */
export function doctorCommand(): Command {
  return new Command("doctor")
    .summary("Examine the server as providers and clients reach it")
    .description(
      "Examine a server from the outside, as providers and clients reach it: proxies, redirects, firewalls, secrets, clocks.\n" +
        "Without a URL: this installation at its GATEHOUSE_ISSUER, with every configured endpoint.",
    )
    .argument("[url]", "public address of a server, such as https://gate.example")
    .option(
      "--endpoint <name...>",
      "with a URL: which endpoints to examine, by the last segment of their URL (default: stripe)",
    )
    .option("--json", "print JSON")
    .action(async (url: string | undefined, options: Options) => {
      const found = url === undefined ? await examineThis(options) : await collect(examineUrl(url, options), options);
      if (options.json) print(found);
      else console.log(`\n${summaryOf(found)}`);
      if (found.some(({ state }) => state === "failed")) process.exitCode = 1;
    });
}

const examineThis = (options: Options) =>
  withOpen(settings(), async ({ deps, settings: live }) => {
    // A database that cannot be read is a finding of the doctor's own.
    await live.load().catch(() => undefined);
    return collect(runDoctor(deps), options);
  });

function examineUrl(url: string, { endpoint: slugs = ["stripe"] }: Options): AsyncGenerator<Finding> {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new InputError([{ path: "url", message: "must be an address like https://gate.example" }]);
  const { origin } = new URL(url);
  const now = () => Math.floor(Date.now() / 1000);
  const endpoints = slugs.map((slug) => {
    if (!isProvider(slug))
      throw new InputError([
        {
          path: "--endpoint",
          message: `${slug} is not a provider. Known providers: ${Object.keys(PROVIDERS).join(", ")}`,
        },
      ]);
    return doctorTarget({ slug, provider: slug, url: `${origin}/api/webhooks/${slug}`, settings: {}, now });
  });
  return examine({ origin, endpoints, now });
}

/** Prints each finding as it is made, unless everything is printed as JSON at the end. */
async function collect(findings: AsyncGenerator<Finding>, { json = false }: Options): Promise<Finding[]> {
  const found: Finding[] = [];
  let group: string | null | undefined;
  for await (const finding of findings) {
    found.push(finding);
    if (json) continue;
    if (finding.endpoint !== group) {
      group = finding.endpoint;
      console.log(`\n${styleText("bold", group === null ? "Server" : `/api/webhooks/${group}`)}`);
    }
    console.log(textOf(finding));
  }
  return found;
}

const MARKS = {
  ok: styleText("green", "✓"),
  warning: styleText("yellow", "!"),
  failed: styleText("red", "✗"),
  skipped: styleText("dim", "–"),
} as const;

function textOf({ state, title, seen, sentence, fix }: Finding): string {
  const line = `  ${MARKS[state]} ${title}`;
  if (state === "ok") return line;
  if (state === "skipped") return `${line}: ${styleText("dim", sentence)}`;
  return `${line}\n      Got ${seen}. ${sentence}\n      ${styleText("bold", "Fix:")} ${fix}`;
}

function summaryOf(found: readonly Finding[]): string {
  const count = (state: Finding["state"]) => found.filter((one) => one.state === state).length;
  const [failed, warnings] = [count("failed"), count("warning")];
  if (failed + warnings === 0) return "Everything is as it should be.";
  const parts = [failed > 0 && `${failed} failed`, warnings > 0 && `${warnings} to look at`, `${count("ok")} fine`];
  return parts.filter(Boolean).join(", ");
}
