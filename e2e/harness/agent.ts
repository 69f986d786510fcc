import { type HTMLElement, parse } from "node-html-parser";
import { type Answer, encodeForm, type Fields, type HeaderFields, type Send, send } from "./http.ts";

/** A page, or the redirect to another server at which the agent stopped. */
export type Page = Answer & { document: HTMLElement };

export type Fill = {
  /** By visible label. */
  fields?: Record<string, string>;
  /** By visible text. Its name and value are posted too. */
  button?: string;
  /** By field name: replaces, adds or (undefined) removes a field of the form. */
  override?: Fields;
  headers?: HeaderFields;
};

export type Agent = {
  origin: string;
  cookies: Map<string, string>;
  /** Sends one request with the stored cookies, and follows no redirect. */
  request(path: string, init?: Send): Promise<Page>;
  /** Follows redirects that stay on the server. */
  open(path: string): Promise<Page>;
  /** Posts a page's form, and follows no redirect. */
  post(page: Page, fill: Fill): Promise<Page>;
  /** Posts a page's form, and follows redirects. */
  submit(page: Page, fill: Fill): Promise<Page>;
  follow(page: Page): Promise<Page>;
};

const MAX_HOPS = 10;

/**
 * A browser without JavaScript: it stores cookies, follows redirects, and fills in forms by their labels. `issuer`:
 * what it sees instead of `origin` where a server listens behind a TLS proxy. `own`: the headers of every request.
 */
export function newAgent(origin: string, issuer: string = origin, own: HeaderFields = {}): Agent {
  const cookies = new Map<string, string>();

  async function request(path: string, init: Send = {}): Promise<Page> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = {
      accept: "text/html",
      "sec-fetch-site": "none",
      ...own,
      ...(cookie ? { cookie } : {}),
      ...init.headers,
    };
    const answer = await send(origin, path, { ...init, headers });
    for (const line of answer.setCookies) keep(cookies, line);
    return { ...answer, document: parse(answer.text) };
  }

  async function follow(page: Page): Promise<Page> {
    let current = page;
    for (let hop = 0; hop < MAX_HOPS; hop++) {
      const next = localRedirect([origin, issuer], current);
      if (next === undefined) return current;
      current = await request(next);
    }
    throw new Error(`still redirecting after ${MAX_HOPS} hops: ${current.headers.get("location")}`);
  }

  async function post(page: Page, fill: Fill): Promise<Page> {
    const { path, fields } = filledIn(page, fill);
    return request(path, {
      method: "POST",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        origin: issuer,
        "sec-fetch-site": "same-origin",
        ...fill.headers,
      },
      body: encodeForm({ ...fields, ...fill.override }),
    });
  }

  return {
    origin,
    cookies,
    request,
    follow,
    post,
    open: async (path) => follow(await request(path)),
    submit: async (page, fill) => follow(await post(page, fill)),
  };
}

/** Path and query of a redirect that stays on one of `origins`; undefined for anything else. */
function localRedirect(origins: readonly string[], page: Page): string | undefined {
  const location = page.headers.get("location");
  if (page.status < 300 || page.status > 399 || location === null) return undefined;
  const target = new URL(location, page.url);
  return origins.includes(target.origin) ? target.pathname + target.search : undefined;
}

function keep(cookies: Map<string, string>, line: string): void {
  const [pair = "", ...attributes] = line.split(";");
  const at = pair.indexOf("=");
  const gone = attributes.some(
    (attribute) => /^\s*max-age=0$/i.test(attribute) || /^\s*expires=.*1970/i.test(attribute),
  );
  if (gone) cookies.delete(pair.slice(0, at).trim());
  else cookies.set(pair.slice(0, at).trim(), pair.slice(at + 1).trim());
}

/** What a browser posts: every hidden field, the given labelled fields, and the pressed button. */
function filledIn(page: Page, { fields = {}, button }: Fill): { path: string; fields: Fields } {
  const form = page.document.querySelectorAll("form").find((candidate) => holds(candidate, fields, button));
  if (form === undefined) {
    throw new Error(
      `no form with ${[...Object.keys(fields), button].join(", ")} on ${page.status} ${page.url}:\n${readable(page)}`,
    );
  }
  const posted: Fields = {};
  for (const input of form.querySelectorAll("input, textarea, select")) {
    const type = input.getAttribute("type") ?? "text";
    const name = input.getAttribute("name");
    const checked = !["checkbox", "radio"].includes(type) || input.hasAttribute("checked");
    if (name !== undefined && checked && type !== "submit") posted[name] = input.getAttribute("value") ?? "";
  }
  for (const [label, value] of Object.entries(fields)) {
    const name = labelled(form, label)?.getAttribute("name");
    if (name !== undefined) posted[name] = value;
  }
  const pressed = button === undefined ? undefined : buttonOf(form, button);
  const pressedName = pressed?.getAttribute("name");
  if (pressedName !== undefined) posted[pressedName] = pressed?.getAttribute("value") ?? "";

  const action = pressed?.getAttribute("formaction") ?? form.getAttribute("action") ?? page.url;
  const target = new URL(action, page.url);
  return { path: target.pathname + target.search, fields: posted };
}

function holds(form: HTMLElement, fields: Record<string, string>, button: string | undefined): boolean {
  return (
    Object.keys(fields).every((label) => labelled(form, label)) &&
    (button === undefined || buttonOf(form, button) !== undefined)
  );
}

function buttonOf(form: HTMLElement, text: string): HTMLElement | undefined {
  return form
    .querySelectorAll("button, input[type=submit]")
    .find((one) => (one.text.trim() || one.getAttribute("value")) === text);
}

function labelled(form: HTMLElement, text: string): HTMLElement | undefined {
  const label = form.querySelectorAll("label").find((one) => one.text.trim().split("\n")[0]?.trim() === text);
  const id = label?.getAttribute("for");
  const found = id === undefined ? label?.querySelector("input, textarea, select") : form.querySelector(`[id="${id}"]`);
  return found ?? undefined;
}

/** The text of a page, for failure messages. */
export function readable(page: Page): string {
  return page.document.structuredText.slice(0, 1500);
}
