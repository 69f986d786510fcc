import { spawn } from "node:child_process";
import type { Member } from "../processes/together.ts";

const IS_WINDOWS = process.platform === "win32";

/**
 * Starts the product's own command. It leads a process group, so that a signal reaches the programs that a package
 * manager starts in it, too.
 */
export function startBeside(
  [program = "", ...args]: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Member {
  const child = spawn(program, args, {
    env,
    stdio: ["ignore", "inherit", "inherit"],
    detached: !IS_WINDOWS,
    shell: IS_WINDOWS,
  });
  return {
    process: child,
    signal(name) {
      if (child.pid === undefined) return;
      try {
        process.kill(IS_WINDOWS ? child.pid : -child.pid, name);
      } catch {
        // The group has ended.
      }
    },
  };
}
