import type { OperationDeps } from "@gatehouse/console/deps";
import { apply } from "@gatehouse/console/manifest/apply";
import type { Applier, Change } from "@gatehouse/console/manifest/change";
import { readManifest } from "@gatehouse/console/manifest/file/read-manifest";
import { assertApproved, type Plan, planConfiguration, type Unlisted } from "@gatehouse/console/manifest/plan";
import { prune } from "@gatehouse/console/manifest/prune";
import { Command } from "commander";
import { settings, variable } from "../env.ts";
import { fileName, InputError, readInput } from "../input.ts";
import { withInstallation } from "../installation.ts";
import { operator } from "../operator.ts";
import { print, report } from "../output.ts";

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
    .action(async (file: string, { check = false }: { check?: boolean }) => {
      const installation = settings();
      const manifest = readManifest(await readInput(file), installation.config, variable);
      const plan = await withInstallation(installation, (deps) => planConfiguration(manifest, applier(file), deps));
      print(viewOf(plan));
      if (check && plan.changes.some(({ action }) => action !== "keep")) process.exitCode = 2;
    });
}

type ApplyOptions = { plan?: string; prune?: string };

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
    .action(async (file: string, options: ApplyOptions) => {
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

const viewOf = ({ id, changes, notInFile }: Plan) => ({
  plan_id: id,
  changes: changes.map(changeView),
  not_in_file: notInFile.map(unlistedView),
});

const changeView = ({ action, kind, name, environment, fields }: Change) => ({
  action,
  kind,
  name,
  ...(environment && { environment }),
  ...(fields.length > 0 && { fields }),
});

const unlistedView = ({ kind, name, environment }: Unlisted) => ({ kind, name, ...(environment && { environment }) });
