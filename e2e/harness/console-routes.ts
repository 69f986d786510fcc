import { randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { CLIENTS, STOCK } from "./fixture.ts";
import { authorizePath } from "./flow.ts";
import { type Gatehouse, ROOT } from "./gatehouse.ts";

const PAGES = join(ROOT, "apps/admin/src/app");
/** The folder of the pages in the console's frame. It is not part of their addresses. */
const FRAMED = "/(console)";

/**
 * A page of the console: its route, as the folders of apps/admin name it, and a path to it. A tab is a route of its
 * own.
 */
export type ConsoleRoute = { route: string; path: string };
type Installation = Pick<Gatehouse, "issuer" | "adminUrl">;

/** Every route of apps/admin, as its folders name it: those in the console's frame, and the others. */
export async function routeNames(): Promise<{ framed: string[]; bare: string[] }> {
  const files = await readdir(PAGES, { recursive: true });
  const pages = files.filter((file) => file === "page.tsx" || file.endsWith("/page.tsx"));
  const names = pages.map((file) => `/${file.replace(/\/?page\.tsx$/, "")}`).sort();
  const framed = names.filter((name) => name.startsWith(FRAMED)).map((name) => name.slice(FRAMED.length) || "/");
  return { framed, bare: names.filter((name) => !name.startsWith(FRAMED)) };
}

/** Every route with a path to it. Creates the objects to show, and needs a fresh sign-in of an admin in `page`. */
export async function consoleRoutes(page: Page, installation: Installation): Promise<ConsoleRoute[]> {
  const paths = { ...(await objectPaths(page, installation)), "/search": "/search?text=nothing" };
  return (await routeNames()).framed.map((route) => {
    const path = paths[route as keyof typeof paths] ?? route;
    if (path.includes("[")) throw new Error(`There is no object to show at ${route}`);
    return { route, path };
  });
}

/** The tabs of a page that is open, without the one that it shows. */
export async function tabsOf(page: Page, { route, path }: ConsoleRoute): Promise<ConsoleRoute[]> {
  const links = await page
    .locator('nav[aria-label="Sections"] a:not([aria-current="page"])')
    .evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
  const tabs = links.map((href) => new URLSearchParams(href.slice(1)).get("tab")).filter((tab) => tab !== null);
  return tabs.map((tab) => ({
    route: `${route}?tab=${tab}`,
    path: `${path}${path.includes("?") ? "&" : "?"}tab=${tab}`,
  }));
}

/** A page of each kind that shows an object. */
async function objectPaths(page: Page, installation: Installation) {
  const errorId = await refusal(installation);
  await fetch(`${installation.issuer}/api/webhooks/stripe`, { method: "POST", body: "{}" });
  const call = caller(page, installation.adminUrl);
  const first = async (procedure: string, input: object = {}) => {
    const { items } = await call<{ items: { id?: string; key?: string }[] }>(procedure, input);
    return items[0] ?? {};
  };
  const [application, user, delivery, group, signIn] = [
    await first("applications.list", { query: CLIENTS.localWeb.client_id }),
    await first("users.list"),
    await first("deliveries.list"),
    await first("refusals.groups"),
    await first("signIns.list"),
  ];
  return {
    "/applications/[id]": `/applications/${application.id}`,
    "/audit/[number]": `/audit/${await auditNumber(call)}`,
    "/deliveries/[id]": `/deliveries/${delivery.id}`,
    "/failures/[errorId]": `/failures/${errorId}`,
    "/failures/group/[key]": `/failures/group/${group.key}`,
    "/mail/[id]": `/mail/${(await call<{ id: string }>("mails.sendTest", {}, "POST")).id}`,
    "/resources/[id]": `/resources/${encodeURIComponent(STOCK.id)}`,
    "/self-registered/[id]": `/self-registered/${await selfRegistered(call, installation)}`,
    "/sign-in-providers/[id]": `/sign-in-providers/${await signInProvider(call)}`,
    "/sign-ins/[id]": `/sign-ins/${signIn.id}`,
    "/users/[id]": `/users/${user.id}`,
    "/webhooks/[slug]": "/webhooks/stripe",
  };
}

type Call = <Data>(procedure: string, input: object, method?: "GET" | "POST") => Promise<Data>;

/** Calls procedures as the page does. */
const caller =
  (page: Page, adminUrl: string): Call =>
  async (procedure, input, method = "GET") => {
    const url = `${adminUrl}/api/trpc/${procedure}`;
    const headers = { origin: adminUrl };
    const answer =
      method === "GET"
        ? await page.request.get(`${url}?input=${encodeURIComponent(JSON.stringify(input))}`, { headers })
        : await page.request.post(url, { data: input, headers });
    if (!answer.ok()) throw new Error(`${procedure}: ${await answer.text()}`);
    return (await answer.json()).result.data;
  };

/** An entry gets its number, and with it a page, a moment after it was written. */
async function auditNumber(call: Call): Promise<number> {
  let number: number | undefined;
  await expect
    .poll(async () => {
      const { items } = await call<{ items: { number: number | null }[] }>("audit.list", {});
      number = items.map((entry) => entry.number).find((one) => one !== null) ?? undefined;
      return number;
    })
    .toBeDefined();
  return number ?? 0;
}

async function refusal({ issuer }: Installation): Promise<string> {
  const answer = await fetch(issuer + authorizePath(CLIENTS.web, { redirect_uri: "https://app.example/cb/" }));
  return answer.headers.get("gatehouse-error-id") ?? "";
}

async function selfRegistered(call: Call, { issuer }: Installation): Promise<string> {
  const draft = { name: "routes", uses: 1, expiresInSeconds: 3_600 };
  const { token } = await call<{ token: string }>("registrationTokens.create", draft, "POST");
  const answer = await fetch(`${issuer}/register`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({
      client_name: "Routes",
      redirect_uris: ["https://routes.example/cb"],
      token_endpoint_auth_method: "none",
    }),
  });
  return ((await answer.json()) as { client_id: string }).client_id;
}

/** Switched off, so that no sign-in page offers it. */
async function signInProvider(call: Call): Promise<string> {
  const id = `routes-${randomUUID().slice(0, 8)}`;
  await call("signInProviders.create", { id, preset: "github", clientId: "routes", secret: "routes" }, "POST");
  await call("signInProviders.setEnabled", { id, enabled: false }, "POST");
  return id;
}
