import { join } from "node:path";
import { ROOT } from "../harness/gatehouse.ts";
import { launch, type Running, untilReady } from "../harness/processes.ts";

export type RelyingParty = { issuer: string; clientId: string; clientSecret: string; port: number };

/** Starts examples/relying-party by its command. */
export async function startRelyingParty({ issuer, clientId, clientSecret, port }: RelyingParty): Promise<Running> {
  const folder = join(ROOT, "examples/relying-party");
  const env = { ISSUER: issuer, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, PORT: String(port) };
  const running = launch(join(folder, "node_modules/.bin/tsx"), ["server.ts"], { cwd: folder, env });
  await untilReady(`http://localhost:${port}/`, running);
  return running;
}
