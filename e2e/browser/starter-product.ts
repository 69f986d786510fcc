import { join } from "node:path";
import type { Page } from "@playwright/test";
import { freePort, launch, type Running, untilReady } from "../harness/processes.ts";
import { git, makeStarter, npx, type Starter, starterEnv } from "../harness/starters.ts";
import { expect } from "./stage.ts";

type Account = { email: string; password: string };

/** Where the packed packages are, and the two that npx runs `init` from. */
export type Packed = { work: string; tarballs: readonly string[] };

/** A starter that `init` is run in, and what a developer does with it. */
export type StarterProduct = {
  project: string;
  app: string;
  issuer: string;
  /** Where its own server listens. */
  ports: readonly string[];
  init(...args: string[]): Promise<{ code: number; said: string }>;
  check(): Promise<{ code: number; said: string }>;
  /** Runs a command of package.json with a Gatehouse server beside it, until the product answers. */
  start(...command: string[]): Promise<void>;
  /** Ctrl-C, which a terminal sends to the whole group. */
  stop(): Promise<void>;
  /** On the server's page, with the account that `gatehouse dev` has printed. Returns its address. */
  signIn(page: Page): Promise<string>;
};

export async function newStarterProduct(starter: Starter, { work, tarballs }: Packed): Promise<StarterProduct> {
  const project = await makeStarter(starter, join(work, starter.replaceAll(" ", "-")));
  const [port, serverPort, consolePort] = [await freePort(), await freePort(), await freePort()];
  const [app, issuer] = [`http://localhost:${port}`, `http://localhost:${serverPort}`];
  const ports = ["--port", `${serverPort}`, "--console-port", `${consolePort}`];
  let running: Running | undefined;
  /** Printed when the server starts for the first time. */
  let account: Account | undefined;

  return {
    project,
    app,
    issuer,
    ports,
    init: (...args) => npx(project, tarballs, ["init", "--packages", work, "--app-url", app, ...ports, ...args]),
    check: () => npx(project, tarballs, ["check"]),
    async start(...command) {
      const [program = "", ...args] = command;
      running = launch(program, args, { cwd: project, env: starterEnv(port) });
      await untilReady(`${app}/`, running, 180);
      const printed = /Email +(\S+)\s+Password +(\S+)/.exec(running.output());
      account ??= printed ? { email: printed[1] ?? "", password: printed[2] ?? "" } : undefined;
    },
    async stop() {
      if (running?.child.pid === undefined) return;
      const { child } = running;
      process.kill(-(child.pid ?? 0), "SIGINT");
      await expect.poll(() => child.exitCode ?? child.signalCode).not.toBeNull();
      await expect(fetch(app)).rejects.toThrow();
      running = undefined;
    },
    async signIn(page) {
      if (account === undefined) throw new Error(`no account was printed:\n${running?.output()}`);
      await expect(page).toHaveURL(new RegExp(`^${issuer}/sign-in`));
      await page.getByLabel("Email").fill(account.email);
      await page.getByLabel("Password", { exact: true }).fill(account.password);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      return account.email;
    },
  };
}

/** A second run writes nothing, and undo leaves the starter as its vendor makes it. PK-21 */
export async function takeBack({ project, init }: StarterProduct): Promise<void> {
  const before = await git(project, "status", "--porcelain");
  expect((await init()).said).toContain("Nothing to write");
  expect(await git(project, "status", "--porcelain")).toBe(before);
  expect((await init("--undo")).code).toBe(0);
  expect(await git(project, "status", "--porcelain")).toBe("");
  expect(await git(project, "diff")).toBe("");
}
