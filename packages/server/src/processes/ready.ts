import type { ChildProcess } from "node:child_process";
import { get } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

const ASK_EVERY_MS = 25;
const ANSWER_WITHIN_MS = 3000;

/** Waits until the program answers at `/healthz` of this origin. Throws an error if it ends first. */
export async function untilHealthy(origin: string, program: ChildProcess): Promise<void> {
  while (program.exitCode === null && program.signalCode === null) {
    try {
      return await askHealth(origin);
    } catch {
      await pause(ASK_EVERY_MS); // it does not listen yet
    }
  }
  throw new Error(`The process for ${origin} ended with ${program.exitCode ?? program.signalCode}.`);
}

/** Throws an error that names the URL unless it answers 200 in time. */
export function askHealth(origin: string): Promise<void> {
  const url = `${origin}/healthz`;
  return new Promise((resolve, reject) => {
    const fail = (problem: string) => reject(new Error(`${url}: ${problem}`));
    const request = get(url, { agent: false, timeout: ANSWER_WITHIN_MS }, ({ statusCode }) => {
      if (statusCode === 200) resolve();
      else fail(`answered ${statusCode}`);
      request.destroy();
    });
    request.on("timeout", () => request.destroy(new Error(`no answer within ${ANSWER_WITHIN_MS / 1000} s`)));
    request.on("error", ({ message }) => fail(message));
  });
}
