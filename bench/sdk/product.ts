import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { arrayBuffer } from "node:stream/consumers";
import { freePort } from "../../e2e/harness/processes.ts";
import { product as sdkProduct } from "../../packages/sdk/testing/product.ts";
import { pack } from "../../scripts/pack/pack.mjs";
import { installedVersion } from "../installed.ts";
import { BENCH, ROOT, SERVER_CORE, startPinned, temporaryFolder } from "../processes.ts";
import { waitUntilReady } from "../subjects/wait-until-ready.ts";
import { betterAuthCookie, migrate, nextAuthCookie } from "./cookies.ts";
import type { Measured } from "./subjects.ts";

/** A product with every subject, which runs. */
export type Product = Measured & { port: number; stop: () => Promise<void> };

const APP = join(BENCH, "sdk/app");
const NEXT = join(BENCH, "node_modules/next/dist/bin/next");
const SECRET = "only-for-the-benchmark-0123456789-0123456789";

export async function startProduct(): Promise<Product> {
  await installSdk();
  build();
  const { folder, remove } = temporaryFolder("sdk");
  const database = join(folder, "better-auth.db");
  await migrate(database, SECRET);
  // The SDK's session comes from the protocol itself, over a store in memory; its checks come back here.
  const { options, server, browser, s } = sdkProduct();
  const ada = browser();
  await ada.signIn();
  const relay = await startRelay(options.issuer ?? "", server.fetch);

  const [port, log] = [await freePort(), join(folder, "server.log")];
  const appUrl = `http://127.0.0.1:${port}`;
  const env = {
    NEXT_TELEMETRY_DISABLED: "1",
    ISSUER: options.issuer ?? "",
    RELAY: relay.url,
    NOW: String(s.clock.now * 1000),
    GATEHOUSE_ISSUER: options.issuer ?? "",
    GATEHOUSE_CLIENT_ID: options.clientId ?? "",
    GATEHOUSE_CLIENT_SECRET: options.clientSecret ?? "",
    GATEHOUSE_APP_URL: options.appUrl ?? "",
    APP_URL: appUrl,
    SECRET,
    DATABASE: database,
  };
  const command = [process.execPath, NEXT, "start", "-H", "127.0.0.1", "-p", String(port)];
  const started = startPinned(SERVER_CORE, command, { cwd: APP, env, log });
  await waitUntilReady(started, port, "/who/floor", log);

  const gatehouse = ada.request("/").headers.get("cookie") ?? "";
  const betterAuth = await betterAuthCookie(appUrl);
  const nextAuth = await nextAuthCookie(SECRET, gatehouse.length);
  return {
    port,
    cookies: {
      floor: "",
      gatehouse,
      "next-auth": nextAuth,
      "better-auth": betterAuth,
      "better-auth-stored": betterAuth,
    },
    versions: {
      next: installedVersion("next"),
      "next-auth": installedVersion("next-auth"),
      "better-auth": installedVersion("better-auth"),
    },
    async stop() {
      await started.stop();
      relay.close();
      remove();
    },
  };
}

/** The packed SDK with its two dependencies, as a product installs them. */
async function installSdk(): Promise<void> {
  const { folder, remove } = temporaryFolder("packed");
  const modules = join(APP, "node_modules");
  rmSync(modules, { recursive: true, force: true });
  mkdirSync(join(modules, "@gatehouse"), { recursive: true });
  cpSync((await pack("sdk", { to: folder })).folder, join(modules, "@gatehouse/sdk"), { recursive: true });
  for (const name of ["jose", "oauth4webapi"])
    cpSync(join(ROOT, "packages/sdk/node_modules", name), join(modules, name), { recursive: true, dereference: true });
  remove();
}

function build(): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, [NEXT, "build"], {
    cwd: APP,
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" },
  });
  if (status !== 0) throw new Error(`next build failed:\n${stdout}${stderr}`);
}

/** Hands the product's requests to the server in memory, which has another address than the one it listens at. */
async function startRelay(issuer: string, handle: typeof fetch) {
  const answer = async (incoming: IncomingMessage) => {
    const { method = "GET", url = "/" } = incoming;
    const headers = Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]);
    const body = method === "GET" ? null : await arrayBuffer(incoming);
    return handle(new Request(issuer + url, { method, headers, body }));
  };
  const relay = createServer(async (incoming, outgoing) => {
    const response = await answer(incoming);
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(Buffer.from(await response.arrayBuffer()));
  });
  await new Promise<void>((listening) => relay.listen(0, "127.0.0.1", listening));
  return { url: `http://127.0.0.1:${(relay.address() as AddressInfo).port}`, close: () => relay.close() };
}
