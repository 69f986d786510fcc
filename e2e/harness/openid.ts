import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRemoteJWKSet, type RemoteJWKSetOptions } from "jose";
import { emailOf, PASSWORD } from "./fixture.ts";
import { apply } from "./gatehouse.ts";

export const ALGORITHMS = ["RS256", "ES256", "EdDSA"] as const;
export type Algorithm = (typeof ALGORITHMS)[number];

/**
 * Registers one web client for each algorithm, with `listener` as back-channel logout URI, and a user for each name.
 */
export async function registerOpenId(env: Record<string, string>, listener: string, people: readonly string[]) {
  const clients = ALGORITHMS.map((algorithm) => ({
    algorithm,
    client_id: `openid-${people[0]}-${algorithm.toLowerCase()}`,
    client_secret: `only-for-tests-openid-${algorithm}-0123456789`,
    redirect_uris: ["http://localhost:4999/cb"],
    post_logout_redirect_uris: ["http://localhost:4999/bye?from=gatehouse"],
  }));
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-openid-"));
  const file = {
    users: people.map((name) => ({ email: emailOf(name), password: PASSWORD, name: `Test ${name}`, role: "user" })),
    applications: clients.map(({ algorithm, ...client }) => ({
      name: `OpenID ${client.client_id}`,
      environments: {
        development: {
          ...client,
          type: "web",
          scopes: ["openid", "profile", "email", "offline_access", "api:read"],
          id_token_algorithm: algorithm,
          backchannel_logout_uri: `${listener}/${algorithm}`,
        },
      },
    })),
  };
  await apply(file, folder, env).finally(() => rm(folder, { recursive: true, force: true }));
  const of = (algorithm: Algorithm) => {
    const client = clients.find((one) => one.algorithm === algorithm);
    if (!client) throw new Error(`no client for ${algorithm}`);
    return client;
  };
  return of;
}

export type Posted = { path: string; token: string };

/** A client's back-channel logout endpoint, and what it receives. */
export async function listen() {
  const waiting: { matches: (posted: Posted) => boolean; done: (posted: Posted) => void }[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const form = new URLSearchParams(Buffer.concat(chunks).toString("utf8"));
      const posted = { path: request.url ?? "", token: form.get("logout_token") ?? "" };
      response.writeHead(200).end();
      for (const { matches, done } of waiting) if (matches(posted)) done(posted);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The next logout token that matches. */
    told: (matches: (posted: Posted) => boolean) => new Promise<Posted>((done) => waiting.push({ matches, done })),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The keys that a server publishes. Jose gives up after 5 s, which a busy machine can need. */
export const publishedKeys = (url: string | URL, options: RemoteJWKSetOptions = {}) =>
  createRemoteJWKSet(new URL(url), { timeoutDuration: 60_000, ...options });
