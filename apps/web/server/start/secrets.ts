import type { ChildProcess } from "node:child_process";
import { SECRET_VARIABLES, withSecretFiles } from "@gatehouse/runtime/secret-files";

/**
 * The variables whose values came from files of secrets. A process that the server starts later gets those of the
 * server's start, whatever the files have by then: processes with different secrets could not read what the others seal.
 * They are handed over by message, since programs that a process starts inherit its environment. OP-12, OP-17
 */
export type Secrets = Readonly<Record<string, string>>;

type Variables = Record<string, string | undefined>;

/** Those of the variables whose value a file has. */
export function secretsFromFiles(variables: Variables): Secrets {
  const named = SECRET_VARIABLES.filter((name) => variables[`${name}_FILE`]);
  return Object.fromEntries(named.map((name) => [name, variables[name] ?? ""]));
}

/** Those that the files have now. Throws as `withSecretFiles`. */
export const readSecrets = (variables: Variables, workingDirectory: string): Secrets =>
  secretsFromFiles(withSecretFiles(variables, workingDirectory));

const ASKS_FOR_SECRETS = "secrets";
type Answer = { gatehouseSecrets: Secrets };

/** Answers the child that asks for secrets, with {@link receiveSecrets}. */
export function handOver(child: Pick<ChildProcess, "on" | "send">, secrets: () => Secrets): void {
  child.on("message", (message) => {
    if (message !== ASKS_FOR_SECRETS) return;
    const answer: Answer = { gatehouseSecrets: secrets() };
    child.send(answer, () => {}); // it may have died meanwhile, which its exit says
  });
}

/** In a process that the server started: asks it for the secrets. */
export function receiveSecrets(): Promise<Secrets> {
  return new Promise((resolve) => {
    process.on("message", function receive(message) {
      if (!isAnswer(message)) return;
      process.off("message", receive);
      resolve(message.gatehouseSecrets);
    });
    process.send?.(ASKS_FOR_SECRETS);
  });
}

const isAnswer = (message: unknown): message is Answer =>
  typeof message === "object" && message !== null && "gatehouseSecrets" in message;
