import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { emailOf, PASSWORD } from "./fixture.ts";
import { apply } from "./gatehouse.ts";
import { freePort } from "./processes.ts";
import { type Relay, startRelay } from "./relay.ts";
import { newBrowser } from "./sdk-browser.ts";
import { onNode, type StartApp } from "./sdk-process.ts";

// A product that uses @gatehouse/sdk: registered as `gatehouse init` does, in real processes, with browsers.

type Server = { issuer: string; env: Record<string, string> };

/** Processes of one product behind one address, and their way to the server. */
export async function startProduct(
  { issuer, env }: Server,
  {
    name,
    people,
    app = onNode,
    rotation = false,
    accessTokenSeconds = 600,
    processes = 1,
    check,
  }: {
    name: string;
    people: readonly string[];
    app?: StartApp;
    rotation?: boolean;
    accessTokenSeconds?: number;
    processes?: number;
    check?: number;
  },
) {
  const ports = await Promise.all(Array.from({ length: processes }, freePort));
  const appUrl = `http://localhost:${ports[0]}`;
  const clientId = `sdk-${name}`;
  const clientSecret = `only-for-tests-${clientId}-0123456789-0123456789`;
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-sdk-"));
  const client = {
    client_id: clientId,
    client_secret: clientSecret,
    type: "web",
    first_party: true,
    rotate_refresh_tokens: rotation,
    access_token_seconds: accessTokenSeconds,
    id_token_algorithm: "ES256",
    redirect_uris: [`${appUrl}/auth/callback`],
    post_logout_redirect_uris: [`${appUrl}/`],
    backchannel_logout_uri: `${appUrl}/auth/backchannel-logout`,
    scopes: ["openid", "profile", "email", "offline_access"],
  };
  const users = people.map((one) => ({ email: emailOf(one), password: PASSWORD, name: `Test ${one}`, role: "user" }));
  await apply({ users, applications: [{ name: `SDK ${name}`, environments: { development: client } }] }, folder, env);
  const clock = join(folder, "clock");
  await writeFile(clock, "0");
  const relay: Relay = await startRelay(issuer);
  const common = { issuer, clientId, clientSecret, appUrl, relay: relay.url, clock, rotation };
  const running = await Promise.all(
    ports.map((port) => app({ ...common, port, ...(check !== undefined && { check }) })),
  );
  const origins = ports.map((port) => `http://localhost:${port}`);

  return {
    appUrl,
    origins,
    relay,
    output: () => running.map(({ output }) => output()).join(""),
    /** Moves the clocks of all processes so many seconds ahead, as nobody can wait for tokens to expire. */
    setClock: (ahead: number) => writeFile(clock, String(ahead * 1000)),
    browser: (person: string) => newBrowser(issuer, origins, person),
    async stop(): Promise<void> {
      await Promise.all(running.map((one) => one.stop()));
      await relay.down();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type Product = Awaited<ReturnType<typeof startProduct>>;
