import { Readable } from "node:stream";
import { vi } from "vitest";
import { gatehouse } from "../main.ts";

/** What a command gets from the process that it runs in. */
export type Surroundings = { env: Record<string, string>; cwd: string; input?: string };

export type Result = { code: number; stdout: string; stderr: string };

/**
 * Runs a command in this process, whose environment, working directory and streams are the command's meanwhile: one
 * command at a time.
 */
export async function runHere(args: readonly string[], { env, cwd, input = "" }: Surroundings): Promise<Result> {
  const own = { env: process.env, stdin: process.stdin, exitCode: process.exitCode };
  const written = { stdout: [] as string[], stderr: [] as string[] };
  const into = (stream: keyof typeof written, end: string) => (text: unknown) =>
    written[stream].push(`${text}${end}`) > 0;
  const spies = [
    vi.spyOn(process, "cwd").mockReturnValue(cwd),
    vi.spyOn(process.stdout, "write").mockImplementation(into("stdout", "")),
    vi.spyOn(process.stderr, "write").mockImplementation(into("stderr", "")),
    vi.spyOn(console, "log").mockImplementation(into("stdout", "\n")),
    vi.spyOn(console, "error").mockImplementation(into("stderr", "\n")),
  ];
  process.env = { ...env };
  process.exitCode = 0;
  Object.defineProperty(process, "stdin", {
    configurable: true,
    value: Readable.from(input === "" ? [] : [Buffer.from(input)]),
  });
  try {
    await gatehouse(args);
    return { code: Number(process.exitCode), stdout: written.stdout.join(""), stderr: written.stderr.join("") };
  } finally {
    for (const spy of spies) spy.mockRestore();
    process.env = own.env;
    process.exitCode = own.exitCode;
    Object.defineProperty(process, "stdin", { configurable: true, value: own.stdin });
  }
}
