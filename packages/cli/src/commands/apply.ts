import { ENVIRONMENTS, type Environment } from "@gatehouse/auth";
import type { OperationDeps } from "@gatehouse/console/deps";
import { apply } from "@gatehouse/console/manifest/apply";
import type { Applier } from "@gatehouse/console/manifest/change";
import { readManifest } from "@gatehouse/console/manifest/file/read-manifest";
import { assertApproved, type Plan, planConfiguration, type Unlisted } from "@gatehouse/console/manifest/plan";
import { prune } from "@gatehouse/console/manifest/prune";
import { Command, Option } from "commander";
import { settings, variable } from "../env.ts";
import { fileName, InputError, readInput, UsageError } from "../input.ts";
import { withInstallation } from "../installation.ts";
import { operator } from "../operator.ts";
import { print, report } from "../output.ts";
import { applyRemotely, planRemotely, type RemotePlan } from "../remote/apply-remotely.ts";
import { planText } from "../remote/plan-text.ts";
import { remoteFile } from "../remote/remote-file.ts";

/** `file`: its path, or - for standard input. */
const applier = (file: string): Applier => ({
  author: { ...operator(), file: fileName(file) },
  variable,
  tell: report,
});

/** `gatehouse plan <file>`. */
export function planCommand(): Command {
  return new Command("plan")
    .summary("Print what apply would change, without changing it")
    .description(
      "Print what `gatehouse apply` would do with a file, field by field, and what the file does not mention. Changes nothing.\n" +
        "Pass the printed plan_id to `gatehouse apply --plan`, which then runs only if nothing has changed since.",
    )
    .argument("<file>", "JSON file, or - for standard input")
    .option("--check", "exit with 2 if applying the file would change something")
    .addOption(issuerOption())
    .addOption(environmentOption())
    .action(async (file: string, { check = false, ...remote }: { check?: boolean } & RemoteOptions) => {
      const plan = await planOf(file, remote);
      print(plan);
      if (check && plan.changes.some(({ action }) => action !== "keep")) process.exitCode = 2;
    });
}

/** A running server to plan or apply at, instead of the database of this machine. */
type RemoteOptions = { issuer?: string; environment?: Environment };

const issuerOption = () =>
  new Option("--issuer <url>", "at the running server at this URL, with the API token in GATEHOUSE_API_TOKEN");
const environmentOption = () =>
  new Option("--environment <name>", "only what the file has for this environment. Needs --issuer").choices(
    ENVIRONMENTS,
  );

async function planOf(file: string, { issuer, environment }: RemoteOptions) {
  if (issuer !== undefined) {
    const { changesId, ...plan } = await planRemotely(issuer, remoteFile(file, await readInput(file), environment));
    return viewOf({ ...plan, id: changesId });
  }
  requireIssuer({ "--environment": environment });
  const installation = settings();
  const manifest = readManifest(await readInput(file), installation.config, variable);
  return viewOf(await withInstallation(installation, (deps) => planConfiguration(manifest, applier(file), deps)));
}

/** Throws for options that are given. */
function requireIssuer(options: Record<string, unknown>): void {
  const given = Object.keys(options).filter((name) => options[name] !== undefined);
  if (given.length > 0) throw new UsageError(given.map((path) => ({ path, message: "needs --issuer" })));
}

type ApplyOptions = { plan?: string; prune?: string; yes?: boolean } & RemoteOptions;

/** `gatehouse apply <file>`. */
export function applyCommand(): Command {
  return new Command("apply")
    .summary("Create and update users, applications, APIs and webhook providers from a file")
    .description(
      "Create and update users, applications, APIs and webhook providers from a JSON file.\n" +
        'Applying the same file again changes nothing. A value {"from_env": "NAME"} is that of an environment variable.\n' +
        'Its objects are marked as managed by the file; "locked": true in it also locks them. See `gatehouse drift`.\n' +
        "Prints what changed, and each generated secret once.",
    )
    .argument("<file>", "JSON file, or - for standard input")
    .option("--plan <plan_id>", "run only if this is still the plan, as `gatehouse plan` printed it")
    .option("--prune <count>", "remove what the plan lists as not_in_file; the count must be right. Needs --plan")
    .addOption(issuerOption())
    .addOption(environmentOption())
    .option("--yes", "apply without a question. Needs --issuer")
    .action(async (file: string, options: ApplyOptions) => {
      const { issuer, environment, yes } = options;
      if (issuer !== undefined) return print(await applyAt(issuer, file, options));
      requireIssuer({ "--environment": environment, "--yes": yes });
      if (options.prune !== undefined && options.plan === undefined)
        throw new InputError([{ path: "--prune", message: "needs --plan: look at what would be removed first" }]);
      const installation = settings();
      const manifest = readManifest(await readInput(file), installation.config, variable);
      const run = async (deps: OperationDeps) => {
        const removals = await approvedRemovals(() => planConfiguration(manifest, applier(file), deps), options);
        const applied = await apply(manifest, applier(file), deps);
        await prune(removals, applier(file), deps);
        return removals.length === 0 ? applied : { ...applied, changed: true, removed: removals.map(unlistedView) };
      };
      print(await withInstallation(installation, run, { create: true }));
    });
}

/** At a running server: the plan is printed to standard error, and what was made, with its secrets, to standard output. */
async function applyAt(issuer: string, file: string, { environment, plan, prune: count, yes = false }: ApplyOptions) {
  if (count !== undefined)
    throw new UsageError([{ path: "--prune", message: "does not go with --issuer: remove it in the console" }]);
  const remote = remoteFile(file, await readInput(file), environment);
  const show = (planned: RemotePlan) => console.error(`${remote.name} at ${issuer}\n${planText(planned)}`);
  return applyRemotely(issuer, remote, plan === undefined ? { show, yes } : { plan });
}

/** What is to be removed. Throws unless the plan is the approved one, and `--prune` names the right number. */
async function approvedRemovals(
  plan: () => Promise<Plan>,
  { plan: approved, prune: count }: ApplyOptions,
): Promise<readonly Unlisted[]> {
  if (approved === undefined) return [];
  const current = await plan();
  assertApproved(current, approved);
  if (count === undefined) return [];
  if (count === String(current.notInFile.length)) return current.notInFile;
  const message = `is ${count}, but the plan lists ${current.notInFile.length} under not_in_file`;
  throw new InputError([{ path: "--prune", message }]);
}

/** `id`: of the plan that `apply --plan` takes. */
const viewOf = ({ id, changes, notInFile }: Pick<RemotePlan, "id" | "changes" | "notInFile">) => ({
  plan_id: id,
  changes: changes.map(changeView),
  not_in_file: notInFile.map(unlistedView),
});

const changeView = ({ action, kind, name, environment, fields }: RemotePlan["changes"][number]) => ({
  action,
  kind,
  name,
  ...(environment && { environment }),
  ...(fields.length > 0 && { fields }),
});

const unlistedView = ({ kind, name, environment }: Omit<RemotePlan["notInFile"][number], "id">) => ({
  kind,
  name,
  ...(environment && { environment }),
});
