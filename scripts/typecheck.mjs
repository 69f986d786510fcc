// npm run typecheck: both programs at once, each with one thread, because a second thread of a program repeats work of the first.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const tsc = fileURLToPath(new URL("../node_modules/typescript/bin/tsc", import.meta.url));
const programs = ["tsconfig.json", "tsconfig.browser.json"].map((program) =>
  spawn(process.execPath, [tsc, "-p", program, "--checkers", "1"], {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    stdio: "inherit",
  }),
);
const codes = await Promise.all(programs.map((program) => once(program, "exit").then(([code]) => code)));
process.exitCode = codes.every((code) => code === 0) ? 0 : 1;
