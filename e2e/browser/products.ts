import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page as BrowserPage } from "@playwright/test";
import { type Agent, newAgent, type Page } from "../harness/agent.ts";
import { apply } from "../harness/commands.ts";
import { PASSWORD } from "../harness/fixture.ts";
import { signIn } from "../harness/flow.ts";
import { type Relay, startRelay } from "../harness/relay.ts";
import { environment, expect, issuer } from "./stage.ts";

/** What a product of the tests is started with, and what they do to its processes from outside. */
export type ProductSetup = {
  clientId: string;
  /** Of the names of its cookies; the server's are on the same host. */
  cookiePrefix: string;
  env: Record<string, string>;
  /** Moves the clock of the product's processes to so many seconds ahead. */
  setClock(seconds: number): Promise<void>;
  /** Between its processes and the server. */
  relay: Relay;
  remove(): Promise<void>;
};

type Wanted = { name: string; url: string; rotation?: boolean };

/**
 * Registers a product as `gatehouse init` does: its own users skip consent, refresh tokens are kept. Returns the
 * environment of its processes.
 */
export async function setUpProduct({ name, url, rotation = false }: Wanted): Promise<ProductSetup> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-product-"));
  const secret = `only-for-tests-${name}-0123456789-0123456789`;
  const client = {
    client_id: name,
    type: "web",
    client_secret: secret,
    redirect_uris: [`${url}/auth/callback`],
    post_logout_redirect_uris: [`${url}/`],
    backchannel_logout_uri: `${url}/auth/backchannel-logout`,
    grant_types: ["authorization_code", "refresh_token"],
    scopes: ["openid", "profile", "email", "offline_access"],
    first_party: true,
    rotate_refresh_tokens: rotation,
    access_token_seconds: 300,
  };
  await apply({ applications: [{ name, environments: { development: client } }] }, folder, environment);
  const clock = join(folder, "clock");
  await writeFile(clock, "0");
  const relay = await startRelay(issuer);
  return {
    clientId: name,
    cookiePrefix: `gatehouse_${createHash("sha256").update(`${issuer} ${name}`).digest("hex").slice(0, 8)}_`,
    env: {
      GATEHOUSE_ISSUER: issuer,
      GATEHOUSE_CLIENT_ID: name,
      GATEHOUSE_CLIENT_SECRET: secret,
      GATEHOUSE_APP_URL: url,
      CLOCK_FILE: clock,
      RELAY: relay.url,
      ROTATION: rotation ? "on" : "off",
    },
    setClock: (seconds) => writeFile(clock, String(seconds * 1000)),
    relay,
    async remove() {
      await relay.down();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** On the server's page, which the product has sent the browser to. */
export async function signInAtServer(page: BrowserPage, email: string): Promise<void> {
  await expect(page).toHaveURL(new RegExp(`^${issuer}/sign-in`));
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** A browser without scripts that is signed in to a product. */
export async function signInToProduct(url: string, name: string, atServer?: Agent): Promise<Agent> {
  const agent = newAgent(url);
  const server = atServer ?? (await signIn(issuer, name));
  const begun = await agent.request("/auth/sign-in?return_to=/menu");
  const asked = await server.open(pathOf(begun));
  const done = await agent.request(pathOf(asked));
  if (done.status !== 303) throw new Error(`no sign-in: ${done.status} ${done.text}`);
  return agent;
}

/** Where a response leads, without the host. */
function pathOf({ headers, status, text }: Page): string {
  const location = headers.get("location");
  if (location === null) throw new Error(`no redirect: ${status} ${text}`);
  const { pathname, search } = new URL(location);
  return pathname + search;
}

/** What a browser sends for a link, for a script of the same page, and what the router of Next sends. */
export const NAVIGATION = { accept: "text/html", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
export const SCRIPT = {
  accept: "*/*",
  "sec-fetch-mode": "cors",
  "sec-fetch-dest": "empty",
  "sec-fetch-site": "same-origin",
};
export const ROUTER = { ...SCRIPT, rsc: "1", "next-url": "/menu" };
