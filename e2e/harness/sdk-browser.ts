import { signIn } from "./flow.ts";
import { type Answer, type HeaderFields, json, type Send, send } from "./http.ts";

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

export type Browser = Awaited<ReturnType<typeof newBrowser>>;

/** A browser of a user who is signed in at the server. Its cookies go to every process, as to all ports of a host. */
export async function newBrowser(issuer: string, origins: readonly string[], person: string) {
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
