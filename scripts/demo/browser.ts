import { createHash, randomBytes } from "node:crypto";
import type { Client } from "./data.ts";

type Sent = { method?: string; headers?: Record<string, string>; body?: string | URLSearchParams };

/** Who sends requests: where from, and with which browser or program. */
export type Sender = { address: string; userAgent: string };

/** Someone's browser: keeps cookies, and posts forms with their hidden fields. */
export function createBrowser(issuer: string, { address, userAgent }: Sender) {
  const cookies = new Map<string, string>();

  async function request(path: string, init: Sent = {}): Promise<Response> {
    const response = await fetch(issuer + path, {
      ...init,
      redirect: "manual",
      headers: {
        accept: "text/html",
        "x-forwarded-for": address,
        "user-agent": userAgent,
        "sec-fetch-site": "same-origin",
        origin: issuer,
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
        ...init.headers,
      },
    });
    for (const line of response.headers.getSetCookie()) {
      const [name = "", value = ""] = line.split(";", 1).join("").split(/=(.*)/s);
      if (value === "" || /max-age=0/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  }

  /** Follows redirects as long as they stay here. */
  async function open(path: string, init?: Sent): Promise<Response> {
    const response = await request(path, init);
    const location = response.headers.get("location");
    if (location === null) return response;
    const target = new URL(location, issuer);
    return target.origin === issuer ? open(target.pathname + target.search) : response;
  }

  /** Posts the page's form of this path. */
  async function submit(page: Response, path: string, fields: Record<string, string>): Promise<Response> {
    const forms = [...(await page.text()).matchAll(/<form[^>]* action="([^"]*)"[^>]*>(.*?)<\/form>/gs)];
    const form = forms.find(([, action = ""]) => action.split("?")[0] === path);
    if (!form) throw new Error(`a page of ${page.url} has no form for ${path}`);
    const [, action = "", content = ""] = form;
    const hidden = [...content.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
    const body = new URLSearchParams(hidden.map(([, name = "", value = ""]) => [name, unescapeHtml(value)]));
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    return open(unescapeHtml(action), { method: "POST", body });
  }

  return {
    open,
    async signIn(email: string, password: string): Promise<void> {
      await submit(await open("/sign-in"), "/sign-in", { email, password, keep: "on" });
    },
    /** Allows the client access, and returns its code with the verifier. */
    async authorize(client: Client, scope: string): Promise<Obtained> {
      const verifier = randomBytes(32).toString("base64url");
      const path = authorizePath(client, { scope, challenge: challengeOf(verifier) });
      let page = await open(path);
      if (page.status === 200) page = await submit(page, "/consent", { decision: "allow" });
      const location = page.headers.get("location");
      const code = location === null ? null : new URL(location).searchParams.get("code");
      if (code === null) throw new Error(`${client.client_id} got no code, but ${page.status} ${location}`);
      return { code, verifier };
    },
    /** Calls a procedure of /trpc with the session. */
    async call(procedure: string, input: object): Promise<unknown> {
      const headers = { "content-type": "application/json", accept: "application/json" };
      const response = await request(`/trpc/${procedure}`, { method: "POST", headers, body: JSON.stringify(input) });
      if (response.status !== 200) throw new Error(`${procedure}: ${response.status} ${await response.text()}`);
      return ((await response.json()) as { result: { data: unknown } }).result.data;
    },
    async query<Data>(procedure: string, input: object): Promise<Data> {
      const response = await request(`/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`);
      if (response.status !== 200) throw new Error(`${procedure}: ${response.status} ${await response.text()}`);
      return ((await response.json()) as { result: { data: Data } }).result.data;
    },
  };
}

export type Browser = ReturnType<typeof createBrowser>;
export type Obtained = { code: string; verifier: string };

const challengeOf = (verifier: string) => createHash("sha256").update(verifier).digest("base64url");

/** A request to `/authorize` of this client; by default a sound one. */
export function authorizePath(
  client: Client,
  {
    scope = "openid profile api:read",
    challenge = challengeOf("v".repeat(43)),
    redirectUri = client.redirect_uris?.[0],
  } = {},
): string {
  const query = new URLSearchParams({
    response_type: "code",
    client_id: client.client_id,
    redirect_uri: redirectUri ?? "",
    code_challenge: challenge,
    code_challenge_method: "S256",
    scope,
    state: randomBytes(8).toString("base64url"),
  });
  return `/authorize?${query}`;
}

function unescapeHtml(text: string): string {
  return text.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}
