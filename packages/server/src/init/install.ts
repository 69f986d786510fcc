import { spawn } from "node:child_process";
import { environment } from "../env.ts";
import type { PackageManager } from "./package-manager.ts";

/** Lets the package manager install what package.json has now, and says so, since that takes a while. Throws an error with its output if it fails. */
export async function install(project: string, { install: [program = "", ...args] }: PackageManager): Promise<void> {
  console.error(`Running ${[program, ...args].join(" ")}…`);
  const child = spawn(program, args, {
    cwd: project,
    env: environment(),
    stdio: ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32",
  });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => output.push(chunk));
  const code = await new Promise<number>((resolve) => {
    child.once("error", ({ message }) => {
      output.push(Buffer.from(message));
      resolve(127);
    });
    child.once("close", (status) => resolve(status ?? 1));
  });
  if (code !== 0)
    throw new Error(`${[program, ...args].join(" ")} failed:\n${Buffer.concat(output).toString().trim()}`);
}
