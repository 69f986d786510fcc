import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from "@actions/workflow-parser";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";

const FOLDER = join(import.meta.dirname, "../.github/workflows");
const { scripts } = JSON.parse(readFileSync(join(FOLDER, "../../package.json"), "utf8")) as { scripts: object };

/** What GitHub's own parser, and the schema of workflows in it, find wrong. */
async function problemsOf(name: string, content: string): Promise<string[]> {
  const { context, value } = parseWorkflow({ name, content }, new NoOperationTraceWriter());
  const template = value && (await convertWorkflowTemplate(context, value)); // which has the errors of the parser too
  return template?.errors?.map(({ Message }) => Message) ?? context.errors.getErrors().map(({ message }) => message);
}

type Step = { run?: string; uses?: string; with?: Record<string, unknown> };
type Job = { permissions?: object; needs?: string | string[]; steps: Step[]; "timeout-minutes"?: number };
type Workflow = { permissions?: object; jobs: Record<string, Job> };

describe.each(readdirSync(FOLDER))("OP-98 the workflow %s", (name) => {
  const text = readFileSync(join(FOLDER, name), "utf8");
  const workflow = parse(text) as Workflow;
  const jobs = Object.values(workflow.jobs);
  const steps = jobs.flatMap((job) => job.steps);
  const commands = steps.flatMap(({ run }) => (run === undefined ? [] : [run]));

  test("OP-98 is one, for GitHub's own parser", async () => {
    expect(await problemsOf(name, text)).toEqual([]);
  });

  test("OP-98 has read-only rights unless a job says more, and every job ends", () => {
    expect(workflow.permissions).toEqual({ contents: "read" });
    expect(jobs.map((job) => typeof job["timeout-minutes"])).toEqual(jobs.map(() => "number"));
  });

  test("OP-98 puts nothing that others can write into a shell", () => {
    const expressions = commands.flatMap((command) => command.match(/\$\{\{[^}]*\}\}/g) ?? []);
    expect(expressions.filter((one) => /github\.(event|head_ref|ref_name|actor)|inputs\./.test(one))).toEqual([]);
  });

  test("OP-98 leaves no credentials behind where it checks out", () => {
    const checkouts = steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"));
    expect(checkouts.map((step) => step.with?.["persist-credentials"])).toEqual(checkouts.map(() => false));
  });

  test("OP-98 runs scripts that exist", () => {
    const used = commands.flatMap((command) =>
      [...command.matchAll(/\bnpm run ([\w:-]+)/g)].map(([, script]) => script),
    );
    expect(used.filter((script) => script !== undefined && !(script in scripts))).toEqual([]);
  });
});

test("OP-98 the parser finds a wrong workflow", async () => {
  const wrong = "on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    need: b\n    steps: [{ run: a }]\n";
  expect(await problemsOf("wrong.yml", wrong)).toEqual([expect.stringContaining("need")]);
  const lost = "on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    needs: b\n    steps: [{ run: a }]\n";
  expect(await problemsOf("lost.yml", lost)).not.toEqual([]);
});
