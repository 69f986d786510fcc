import { beginTotp, replaceRecoveryCodes, totpPurpose } from "@gatehouse/accounts";
import { codeOf } from "@gatehouse/accounts/testing";
import { type ActiveSession, cookieName, readSession } from "@gatehouse/auth";
import { createUser } from "@gatehouse/console/users/users";
import { vi } from "vitest";
import type { App } from "../../start/app.ts";
import { startTestApp } from "../../start/testing/test-app.ts";

// The handlers of the pages, called directly: on a database of their own, with a clock that tests move, and with an
// application whose parts tests can put something between.

const ISSUER = "http://localhost:3000";
export const cookieNamed = (kind: string) => cookieName(kind, { issuer: ISSUER });
export const PASSWORD = "correct horse battery staple";
const BY = { source: { userAgent: null, address: null }, locale: "en" };

const ROUTES = {
  "/sign-in": () => import("../../../app/sign-in/route.ts"),
  "/sign-in/second-step": () => import("../../../app/sign-in/second-step/route.ts"),
  "/sign-in/new-password": () => import("../../../app/sign-in/new-password/route.ts"),
  "/sign-in/restore": () => import("../../../app/sign-in/restore/route.ts"),
  "/sign-in/passkey": () => import("../../../app/sign-in/passkey/route.ts"),
  "/sign-in/passkey-offer": () => import("../../../app/sign-in/passkey-offer/route.ts"),
  "/sign-in/code": () => import("../../../app/sign-in/code/route.ts"),
  "/sign-in/confirm": () => import("../../../app/sign-in/confirm/route.ts"),
  "/sign-up": () => import("../../../app/sign-up/route.ts"),
  "/verify-email": () => import("../../../app/verify-email/route.ts"),
  "/forgot-password": () => import("../../../app/forgot-password/route.ts"),
  "/reset-password": () => import("../../../app/reset-password/route.ts"),
  "/account": () => import("../../../app/account/route.ts"),
  "/account/delete": () => import("../../../app/account/delete/route.ts"),
  "/account/email": () => import("../../../app/account/email/route.ts"),
  "/account/export": () => import("../../../app/account/export/route.ts"),
  "/account/sessions": () => import("../../../app/account/sessions/route.ts"),
  "/account/security": () => import("../../../app/account/security/route.ts"),
  "/account/password": () => import("../../../app/account/password/route.ts"),
  "/account/identities": () => import("../../../app/account/identities/route.ts"),
  "/account/security/authenticator": () => import("../../../app/account/security/authenticator/route.ts"),
  "/account/security/passkeys": () => import("../../../app/account/security/passkeys/route.ts"),
  "/account/security/recovery-codes": () => import("../../../app/account/security/recovery-codes/route.ts"),
  "/invitation": () => import("../../../app/invitation/route.ts"),
  "/device": () => import("../../../app/device/route.ts"),
  "/consent": () => import("../../../app/consent/route.ts"),
  "/authorize": () => import("../../../app/authorize/route.ts"),
  "/logout": () => import("../../../app/logout/route.ts"),
  "/language": () => import("../../../app/language/route.ts"),
  "/sign-out": () => import("../../../app/sign-out/route.ts"),
  "/sign-in/new-browser": () => import("../../../app/sign-in/new-browser/route.ts"),
};
const AT_PROVIDER = /^\/sign-in\/with\/([^/]+)(\/callback|\/test)?$/;

type Handlers = Record<
  "GET" | "POST",
  (request: Request, context?: { params: Record<string, string> }) => Promise<Response>
>;

async function handlersOf(path: string): Promise<{ handlers: Handlers; params: Record<string, string> }> {
  const [, provider, step = ""] = AT_PROVIDER.exec(path) ?? [];
  if (provider !== undefined) {
    const steps = {
      "": () => import("../../../app/sign-in/with/[provider]/route.ts"),
      "/callback": () => import("../../../app/sign-in/with/[provider]/callback/route.ts"),
      "/test": () => import("../../../app/sign-in/with/[provider]/test/route.ts"),
    };
    return { handlers: (await steps[step as keyof typeof steps]()) as Handlers, params: { provider } };
  }
  return { handlers: await ROUTES[path as keyof typeof ROUTES](), params: {} };
}

export type Answer = { response: Response; html: string; location: string };
export type Pages = Awaited<ReturnType<typeof openPages>>;
export type Browser = ReturnType<Pages["newBrowser"]>;

/** A mail as it was composed: `data` has its link and code. */
type Composed = { kind: string; to: string; data: { link?: string | null; code?: string } };

/** The sweeper would delete what is counted by the machine's clock once the test's is ahead of it. */
async function endOfFirstSweep(db: App["deps"]["db"]): Promise<void> {
  const holderOf = async () => (await db.select().from(db.tables.leases)).find(({ name }) => name === "sweep")?.holder;
  await vi.waitUntil(async () => (await holderOf()) === "", { timeout: 60_000, interval: 5 });
}

/** Opens the application; its clock starts at `now`. `variables`: of the environment. `close` when done. */
export async function openPages({ now = 1_800_000_000, variables = {} as Record<string, string> } = {}) {
  const { app, close } = await startTestApp(variables);
  const clock = { now };
  await endOfFirstSweep(app.deps.db);
  app.deps.now = () => clock.now;
  const composed: Composed[] = [];
  const { compose, composeRequested } = app.deps.mail;
  app.deps.mail.compose = (kind, mail) => {
    composed.push({ kind, to: mail.to, data: mail.data as Composed["data"] });
    return compose(kind, mail);
  };
  app.deps.mail.composeRequested = (kind, mail) => {
    composed.push({ kind, to: mail.to, data: mail.data as Composed["data"] });
    return composeRequested(kind, mail);
  };
  /** What the last mail of this kind to the address says, sent or not. */
  const mailed = (kind: string, to: string) =>
    composed.findLast((mail) => mail.kind === kind && mail.to === to)?.data ?? {};
  /** Its link, as a local path. */
  function mailedPath(kind: string, to: string): string {
    const { link } = mailed(kind, to);
    if (!link) throw new Error(`no ${kind} with a link to ${to}`);
    return link.slice(ISSUER.length);
  }

  /** A browser: it keeps cookies, and fills in the first form of a page. */
  function newBrowser() {
    const cookies = new Map<string, string>();
    async function send(request: Request): Promise<Answer> {
      const { handlers, params } = await handlersOf(new URL(request.url).pathname);
      const response = await handlers[request.method as "GET" | "POST"](request, { params });
      for (const line of response.headers.getSetCookie()) {
        const [pair = ""] = line.split(";");
        const at = pair.indexOf("=");
        if (/max-age=0/i.test(line)) cookies.delete(pair.slice(0, at));
        else cookies.set(pair.slice(0, at), pair.slice(at + 1));
      }
      return { response, html: await response.clone().text(), location: response.headers.get("location") ?? "" };
    }
    const header = () => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const get = (path: string, headers: Record<string, string> = {}) =>
      send(new Request(ISSUER + path, { headers: { ...headers, cookie: header() } }));
    /** Posts the hidden fields of the first form in `html` with `fields`; to `path`, or where the form leads. */
    function submit(
      html: string,
      fields: Record<string, string>,
      path?: string,
      headers: Record<string, string> = {},
    ): Promise<Answer> {
      const [form = ""] = /<form(?![^>]*action="\/(?:language|sign-out)")[\s\S]*?<\/form>/.exec(html) ?? [];
      const hidden = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
        ([, name = "", value = ""]) => [name, value.replaceAll("&amp;", "&").replaceAll("&quot;", '"')],
      );
      const body = new URLSearchParams([
        ...hidden.filter(([name = ""]) => !Object.hasOwn(fields, name)),
        ...Object.entries(fields),
      ]);
      const to = path ?? (/action="([^"]+)"/.exec(form)?.[1] ?? "").replaceAll("&amp;", "&");
      return send(new Request(ISSUER + to, { method: "POST", body, headers: { ...headers, cookie: header() } }));
    }
    return {
      cookies,
      get,
      submit,
      /** Opens the page, and posts its form. */
      post: async (path: string, fields: Record<string, string>) =>
        submit((await get(path)).html, fields, path.split("?")[0]),
      session: (): Promise<ActiveSession | undefined> => readSession(header(), app.deps),
    };
  }

  let number = 0;
  /** An account with a password and, unless told otherwise, an authenticator app and recovery codes. */
  async function account({ totp = true, role = "user" as const }: { totp?: boolean; role?: "user" | "admin" } = {}) {
    const email = `person${++number}@example.com`;
    const user = await createUser({ email, name: "Ada", password: PASSWORD, role }, app.deps);
    const { key } = beginTotp({ ...user, actor: "a test" }, "Gatehouse", app.deps);
    let recovery: string[] = [];
    if (totp) {
      const row = { secret: app.deps.seal.seal(totpPurpose(user.id), key), lastStep: 0, createdAt: clock.now };
      await app.deps.people.addTotp({ userId: user.id, signInEpoch: 0 }, row, undefined, {});
      recovery = (await replaceRecoveryCodes({ ...user, signInEpoch: 0 }, BY, app.deps)) ?? [];
    }
    return {
      id: user.id,
      email,
      password: PASSWORD,
      code: (steps = 0) => codeOf(key, clock.now + 30 * steps),
      recovery,
    };
  }

  return { app, clock, newBrowser, account, mailed, mailedPath, close };
}

/** The form of a passkey ceremony on a page: the options for the browser, and the sealed challenge. */
export function ceremonyOf(html: string, kind: "create" | "get") {
  const [form = ""] = new RegExp(`<form[^>]*data-passkey="${kind}"[\\s\\S]*?</form>`).exec(html) ?? [];
  const options = (/data-options="([^"]*)"/.exec(form)?.[1] ?? "{}").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
  return {
    html: form,
    options: JSON.parse(options),
    challenge: /name="challenge" value="([^"]+)"/.exec(form)?.[1] ?? "",
  };
}
