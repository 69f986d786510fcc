/** The root of the repository, with a slash at the end. */
export const ROOT: string;

type RunOptions = { env?: NodeJS.ProcessEnv; quiet?: boolean; cwd?: string; label?: string };

/** Builds what is stale. */
export function build(): Promise<void>;

/** The environment for child processes: no telemetry, and addresses derived from the ports. */
export function environment(overrides?: Record<string, string>): NodeJS.ProcessEnv;

/** Exits with one line that says what is wrong and how to fix it. */
export function fail(message: string, code?: number): never;

/** The pnpm command, as command and arguments, through npx. */
export function pnpm(...args: string[]): [command: string, args: string[]];

/** Runs a command until it exits. With `quiet`, its output is returned instead of printed. */
export function run(
  command: string,
  args: readonly string[],
  options?: RunOptions,
): Promise<{ code: number; output: string }>;
