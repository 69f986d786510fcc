/** Where the product of the tests is. */
export const APP = "https://shop.example";
/** What a browser sends when its user follows a link. */
export const NAVIGATION = { "sec-fetch-mode": "navigate", "sec-fetch-dest": "document", accept: "text/html" };
/** What a script of the page sends. */
export const SAME_ORIGIN = { "sec-fetch-mode": "cors", "sec-fetch-dest": "empty", "sec-fetch-site": "same-origin" };

type Handle = (request: Request) => Promise<Response>;

/** Keeps cookies, and follows the server's part of a sign-in with `visitServer`: URL in, URL out. */
export function createBrowser(handle: Handle, visitServer: (location: string) => Promise<string>) {
  const cookies = new Map<string, string>();

  const browser = {
    cookies,
    request(
      path: string,
      { headers = {}, ...init }: { method?: string; headers?: Record<string, string> } = {},
    ): Request {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      return new Request(new URL(path, APP), { ...init, headers: { ...(cookie && { cookie }), ...headers } });
    },
    keep(response: Pick<Response, "headers">): void {
      for (const line of response.headers.getSetCookie()) {
        const [pair = "", ...attributes] = line.split("; ");
        const [name = "", value = ""] = pair.split(/=(.*)/s);
        if (attributes.includes("Max-Age=0")) cookies.delete(name);
        else cookies.set(name, value);
      }
    },
    async open(path: string, init: { method?: string; headers?: Record<string, string> } = {}): Promise<Response> {
      const response = await handle(browser.request(path, { headers: NAVIGATION, ...init }));
      browser.keep(response);
      return response;
    },
    /** Begins a sign-in; returns the URL of the server. */
    async beginSignIn(query = ""): Promise<string> {
      const response = await browser.open(`/auth/sign-in${query}`);
      const location = response.headers.get("location");
      if (response.status !== 303 || location === null)
        throw new Error(`no sign-in: ${response.status} ${await response.text()}`);
      return location;
    },
    /** The server's part: from its URL to that of the callback. */
    visitServer,
    /** Completes a sign-in; returns the answer of the callback. */
    async endSignIn(location: string): Promise<Response> {
      return browser.open(await visitServer(location));
    },
    async signIn(query = ""): Promise<Response> {
      return browser.endSignIn(await browser.beginSignIn(query));
    },
    post: (path: string) =>
      browser.open(path, { method: "POST", headers: { ...NAVIGATION, "sec-fetch-site": "same-origin" } }),
    /** What a script of the page learns. */
    async session() {
      const response = await browser.open("/auth/session", { headers: SAME_ORIGIN });
      return (await response.json()) as { status: string; user: { id: string } | null };
    },
  };
  return browser;
}

export type Browser = ReturnType<typeof createBrowser>;
