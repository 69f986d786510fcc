import type { Frame } from "./profile.ts";

/** The steps of a request, in the order of the cost page. */
export const STEPS = [
  "Node's HTTP",
  "routing and guard",
  "reading the body",
  "client authentication, signature",
  "the endpoint itself",
  "reads and caches",
  "minting and hashing",
  "statements of the write",
  "commit",
  "answer",
  "garbage collection",
] as const;
export type Step = (typeof STEPS)[number];

/** A file, or the folder of files, of a step. */
const INNERMOST: readonly [pattern: RegExp, step: Step][] = [
  [/^packages\/auth\/src\/crypto\//, "minting and hashing"],
  [/^packages\/auth\/src\/http\/(form|body)/, "reading the body"],
  [/^packages\/(runtime|webhooks)\/src\/(body|incoming|encoding)/, "reading the body"],
  [/^packages\/webhooks\/src\/(verify|providers\/)/, "client authentication, signature"],
  [/^apps\/web\/server\/node\/(convert|light\/response|light\/end-of-turn)/, "answer"],
  [/^apps\/web\/server\/(node|routing|start)\//, "routing and guard"],
  [/^packages\/(auth\/src\/guard|runtime\/src)\//, "routing and guard"],
  [/^packages\/db\/|\/drizzle-orm\/|\/better-sqlite3|\/dataloader\//, "reads and caches"],
  [/^(packages|apps)\//, "the endpoint itself"],
];

const inFile = (pattern: RegExp) => (frame: Frame) => pattern.test(frame.source);
const inTransaction = inFile(/^packages\/db\/src\/sqlite\/shared-transaction/);
const inAuthentication = inFile(/^packages\/auth\/src\/clients\/(authentication|credentials|assertion)/);
const isRead = inFile(/^packages\/db\//);

/** The step that a stack belongs to (innermost frame first). */
export function stepOf(stack: readonly Frame[]): Step {
  const [leaf] = stack;
  if (leaf?.name === "(garbage collector)") return "garbage collection";
  const transaction = stack.findIndex(inTransaction);
  // BEGIN and COMMIT are called by the transaction itself, the statements by its parts.
  if (transaction >= 0)
    return stack.slice(0, transaction).some(({ name }) => name === "exec") ? "commit" : "statements of the write";
  if (stack.some(inAuthentication) && !stack.some(isRead)) return "client authentication, signature";
  for (const frame of stack) {
    if (/^node:(_http|net|internal\/(streams|stream_base|js_stream|timers|process))/.test(frame.source))
      return "Node's HTTP";
    const found = INNERMOST.find(([pattern]) => pattern.test(frame.source));
    if (found) return found[1];
  }
  return "Node's HTTP";
}
