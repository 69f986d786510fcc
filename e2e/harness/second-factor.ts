import { codeOf } from "@gatehouse/accounts/testing";
import { type Agent, type Page, readable } from "./agent.ts";

const PATH = "/account/security/authenticator";

/** An authenticator app after its setup, with the recovery codes that came with it. */
export type App = {
  /** A code that was not used yet; a second one takes the next time step, and a third one does not exist. */
  nextCode(): string;
  /** The code of another time step, counted from now. */
  codeAt(steps: number): string;
  /** The code that turned the app on. */
  setupCode: string;
  /** Empty if the account has unused ones. */
  recovery: string[];
};

const nowSeconds = () => Math.floor(Date.now() / 1000);

/** The key that a setup page shows. */
function keyOn(page: Page): string {
  const key = page.document.querySelectorAll("code").find(({ text }) => /^[A-Z2-7 ]{32,}$/.test(text.trim()));
  if (!key) throw new Error(`no key on ${page.status} ${page.url}\n${readable(page)}`);
  return key.text.replaceAll(" ", "").trim();
}

/** Fills in a page that sets up an app: the account's own, or the one inside a sign-in. */
export async function finishSetup(agent: Agent, page: Page): Promise<{ app: App; done: Page }> {
  const key = keyOn(page);
  const setupCode = codeOf(key, nowSeconds());
  const done = await agent.submit(page, { fields: { Code: setupCode }, button: "Continue" });
  const recovery = done.document.querySelectorAll("code").map(({ text }) => text.trim());
  if (recovery.length % 8 !== 0) throw new Error(`no app was set up: ${done.status} ${done.url}\n${readable(done)}`);
  return {
    app: {
      nextCode: () => codeOf(key, nowSeconds() + 30),
      codeAt: (steps) => codeOf(key, nowSeconds() + 30 * steps),
      setupCode,
      recovery,
    },
    done,
  };
}

/** Sets up an authenticator app for a signed-in agent. */
export async function enrolTotp(agent: Agent): Promise<App> {
  return (await finishSetup(agent, await agent.open(PATH))).app;
}
