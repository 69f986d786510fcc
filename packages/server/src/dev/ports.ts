import { COMMAND } from "@gatehouse/runtime/distribution";
import { describeTaken, portProblem } from "@gatehouse/runtime/ports";
import type { Place } from "./environment.ts";

/**
 * Throws an error that names the process that has a port. No other port is taken in its place: redirect URIs and the
 * issuer are exact. PK-18
 */
export async function requireFreePorts({ port, consolePort }: Pick<Place, "port" | "consolePort">): Promise<void> {
  for (const [flag, number] of [["--port", port] as const, ["--console-port", consolePort] as const]) {
    if ((await portProblem(number)) === undefined) continue;
    throw new Error(`${describeTaken(number)} Stop that, or use another port: ${COMMAND} dev ${flag} ${number + 100}`);
  }
}
