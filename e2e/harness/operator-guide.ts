import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "./commands.ts";
import { launch, type Running } from "./processes.ts";

/** A part of docs/operations.md: its blocks of commands, in order. */
export async function commandsBelow(heading: string): Promise<string[]> {
  const page = await readFile(join(ROOT, "docs/operations.md"), "utf8");
  const [, below] = page.split(`\n### ${heading}\n`);
  if (below === undefined) throw new Error(`docs/operations.md has no part "${heading}"`);
  const [part = ""] = below.split(/^#{2,3} /m);
  return [...part.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = ""]) => block);
}

/** A command that goes on running, as the page says. */
const SERVES = /gatehouse\.mjs (all|web|admin)\b|^(caddy|haproxy) /;

type Shell = {
  folder: string;
  env: Record<string, string>;
  /** What an operator replaces in the commands: names, addresses, ports. */
  replaced: Readonly<Record<string, string>>;
};

export type Served = { command: string; running: Running };

/**
 * Runs a block of commands as a shell does that stops at the first failure. Commands that go on running are started
 * with the variables that the block exports, and returned; those of the proxy are left to the caller.
 */
export async function runBlock(block: string, { folder, env, replaced }: Shell): Promise<Served[]> {
  const text = Object.entries(replaced).reduce((all, [from, to]) => all.replaceAll(from, to), block);
  const lines = text.trimEnd().split("\n");
  const serving = lines.filter((line) => SERVES.test(line));
  const script = lines.filter((line) => !SERVES.test(line)).join("\n");
  const options = { cwd: folder, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 };
  await promisify(execFile)("bash", ["-euc", script], options).catch((error: Error & { stdout?: string }) => {
    throw new Error(`the commands of the page failed:\n${script}\n${error.message}\n${error.stdout}`, { cause: error });
  });
  const exported = lines.filter((line) => line.startsWith("export ")).join("\n");
  return serving
    .filter((line) => line.includes("gatehouse.mjs"))
    .map((command) => {
      const [program = ""] = command.split(" #");
      const set = /^((?:\w+=\S+ )*)(.*)$/.exec(program.trim());
      const run = `${exported}\nexec env ${set?.[1] ?? ""}${set?.[2] ?? ""}`;
      return { command: program.trim(), running: launch("bash", ["-euc", run], { cwd: folder, env }) };
    });
}

/** The variables that a block exports, with their values as the page has them. */
export const exportsOf = (block: string): Record<string, string> =>
  Object.fromEntries(
    [...block.matchAll(/^export (.*)$/gm)].flatMap(([, all = ""]) =>
      [...all.matchAll(/(\w+)=(\S+)/g)].map(([, name = "", value = ""]) => [name, value]),
    ),
  );
