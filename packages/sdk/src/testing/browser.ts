import { randomInt } from "node:crypto";
import { GatehouseError } from "../error.ts";
import { CookieJar } from "./cookies.ts";
import type { Form } from "./forms.ts";
import { loopbackUrl } from "./loopback.ts";

/** A page that was loaded, or the last redirect that was followed. */
export type Page = { url: URL; status: number; html: string };

const MAX_REDIRECTS = 20;
const TIMEOUT_MS = 10_000;

/** A browser without scripts: it keeps cookies, follows redirects and sends forms, on http loopback alone. */
export function openBrowser() {
  const jar = new CookieJar();
  // Attempts are counted by address: a server of startGatehouse believes this header, any other one ignores it.
  const own = { "x-forwarded-for": randomAddress() };

  async function load(url: URL, init: RequestInit = {}): Promise<Page> {
    let [at, request] = [url, init];
    for (let count = 0; count < MAX_REDIRECTS; count++) {
      const response = await send(at, request);
      jar.keep(response, at);
      const location = response.headers.get("location");
      const html = await response.text();
      if (response.status < 300 || response.status > 399 || location === null)
        return { url: at, status: response.status, html };
      at = loopbackUrl(location, at);
      request = {};
    }
    throw new GatehouseError("server_error", `${at.origin} redirects without an end.`);
  }

  async function send(url: URL, init: RequestInit): Promise<Response> {
    const headers = new Headers({
      accept: "text/html",
      "sec-fetch-mode": "navigate",
      "sec-fetch-dest": "document",
      ...own,
    });
    for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
    const cookie = jar.headerFor(url);
    if (cookie !== "") headers.set("cookie", cookie);
    try {
      return await fetch(url, { ...init, headers, redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) });
    } catch (cause) {
      throw new GatehouseError("unavailable", `${url.origin} does not answer.`, { cause });
    }
  }

  return {
    jar,
    open: (url: string | URL) => load(loopbackUrl(url)),
    /** Fills in a form of a page, and sends it. */
    submit({ url }: Page, { action, fields }: Form, filled: Readonly<Record<string, string>> = {}): Promise<Page> {
      const target = loopbackUrl(action, url);
      return load(target, {
        method: "POST",
        headers: {
          origin: target.origin,
          "sec-fetch-site": "same-origin",
          "content-type": "application/x-www-form-urlencoded",
        },
        body: new URLSearchParams({ ...fields, ...filled }).toString(),
      });
    },
  };
}

/** An address of the network 10.0.0.0/8. */
const randomAddress = () => `10.${[0, 0, 0].map(() => randomInt(256)).join(".")}`;
