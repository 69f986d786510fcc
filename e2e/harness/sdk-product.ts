import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { emailOf, PASSWORD } from "./fixture.ts";
import { signIn } from "./flow.ts";
import { apply, ROOT } from "./gatehouse.ts";
import { type Answer, type HeaderFields, json, type Send, send } from "./http.ts";
import { freePort, launch, type Running, untilReady } from "./processes.ts";
import { type Relay, startRelay } from "./relay.ts";

// A product that uses @gatehouse/sdk: registered as `gatehouse init` does, in real processes, with browsers.

export type AppOptions = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  appUrl: string;
  port: number;
  relay: string;
  rotation: boolean;
  check?: number;
};

/** What a browser sends when its user follows a link. */
export const NAVIGATION = { "sec-fetch-mode": "navigate", "sec-fetch-dest": "document", "sec-fetch-site": "none" };
/** What a script of a page sends. */
export const FETCH = {
  "sec-fetch-mode": "cors",
  "sec-fetch-dest": "empty",
  "sec-fetch-site": "same-origin",
  accept: "*/*",
};
const FORM = { ...NAVIGATION, "sec-fetch-site": "same-origin" };

type Server = { issuer: string; env: Record<string, string> };

/** Processes of one product behind one address, and their way to the server. */
export async function startProduct(
  { issuer, env }: Server,
  {
    name,
    people,
    rotation = false,
    accessTokenSeconds = 600,
    processes = 1,
    check,
  }: {
    name: string;
    people: readonly string[];
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
  await rm(folder, { recursive: true, force: true });

  const relay: Relay = await startRelay(issuer);
  const running = await Promise.all(
    ports.map(async (port): Promise<Running> => {
      const options: AppOptions = {
        issuer,
        clientId,
        clientSecret,
        appUrl,
        port,
        relay: relay.url,
        rotation,
        ...(check !== undefined && { check }),
      };
      const args = ["--import", "tsx", "harness/sdk-app.ts", JSON.stringify(options)];
      const app = launch(process.execPath, args, { cwd: join(ROOT, "e2e"), env: {} });
      await untilReady(`http://localhost:${port}/`, app);
      return app;
    }),
  );
  const origins = ports.map((port) => `http://localhost:${port}`);

  return {
    appUrl,
    origins,
    relay,
    output: () => running.map(({ output }) => output()).join(""),
    /** Moves the clocks of all processes. */
    setClock: async (ahead: number) => {
      for (const origin of origins) await send(origin, `/clock?ahead=${ahead}`);
    },
    browser: (person: string) => newBrowser(issuer, origins, person),
    async stop(): Promise<void> {
      await Promise.all(running.map((app) => app.stop()));
      await relay.down();
    },
  };
}

export type Product = Awaited<ReturnType<typeof startProduct>>;
export type Browser = Awaited<ReturnType<typeof newBrowser>>;

/** A browser of a user who is signed in at the server. Its cookies go to every process, as to all ports of a host. */
async function newBrowser(issuer: string, origins: readonly string[], person: string) {
  const server = await signIn(issuer, person);
  const [appUrl = ""] = origins;
  const cookies = new Map<string, string>();

  async function request(path: string, init: Send, process: number): Promise<Answer> {
    const cookie = browser.cookieHeader();
    const headers = { accept: "text/html", ...(cookie && { cookie }), ...init.headers };
    const answer = await send(origins[process % origins.length] ?? appUrl, path, { ...init, headers });
    for (const line of answer.setCookies) browser.keep(line);
    return answer;
  }

  const browser = {
    server,
    cookies,
    cookieHeader: () => [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
    keep(line: string): void {
      const [pair = "", ...attributes] = line.split("; ");
      const [name = "", value = ""] = pair.split(/=(.*)/s);
      if (attributes.includes("Max-Age=0")) cookies.delete(name);
      else cookies.set(name, value);
    },
    open: (path: string, headers: HeaderFields = NAVIGATION, process = 0) => request(path, { headers }, process),
    fetch: (path: string, process = 0) => request(path, { headers: FETCH }, process),
    post: (path: string, headers: HeaderFields = FORM, process = 0) =>
      request(path, { method: "POST", headers }, process),
    /** Follows a link to sign in until the server sends the browser back: the path of the callback. */
    async visitServer(location: string): Promise<string> {
      const page = await server.open(location.slice(issuer.length));
      const back = page.headers.get("location");
      if (back === null) throw new Error(`the server did not redirect: ${page.status} ${page.url}`);
      return back.slice(appUrl.length);
    },
    async beginSignIn(query = ""): Promise<string> {
      const begun = await browser.open(`/auth/sign-in${query}`);
      const location = begun.headers.get("location");
      if (begun.status !== 303 || location === null) throw new Error(`no sign-in: ${begun.status} ${begun.text}`);
      return location;
    },
    /** A whole sign-in; the answer of the callback. */
    async signIn(query = ""): Promise<Answer> {
      return browser.open(await browser.visitServer(await browser.beginSignIn(query)));
    },
    /** Opens a page as its user does, through sign-in where the product sends there; `signIns` counts them. */
    async visit(path: string, process = 0): Promise<{ status: number; signIns: number }> {
      let page = await browser.open(path, NAVIGATION, process);
      let signIns = 0;
      for (; signIns < 5; signIns++) {
        const location = page.headers.get("location");
        if (!location?.includes("/auth/sign-in")) break;
        const back = await browser.signIn(new URL(location).search);
        page = await browser.open((back.headers.get("location") ?? "").slice(appUrl.length), NAVIGATION, process);
      }
      return { status: page.status, signIns };
    },
    /** What a script of the page learns: `signed-in`, `signed-out` or `unavailable`. */
    status: async (process = 0) => json(await browser.fetch("/auth/session", process))["status"],
  };
  return browser;
}
