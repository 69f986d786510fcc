import type { ChildProcess } from "node:child_process";

/** What the process of Next says, and in development what dev.ts tells it. */
export type NextMessage = "listening" | "built" | "loaded";

/** Resolves when the process says it. */
export function said(child: ChildProcess, what: NextMessage): Promise<void> {
  return new Promise((resolve) => {
    child.on("message", function listen(message) {
      if (message !== what) return;
      child.off("message", listen);
      resolve();
    });
  });
}

/** In the process of Next. */
export function say(what: NextMessage): void {
  process.send?.(what);
}
