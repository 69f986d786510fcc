import { setTimeout as pause } from "node:timers/promises";
import { type Agent, newAgent } from "../../harness/agent.ts";
import { emailOf, PASSWORD } from "../../harness/fixture.ts";
import { USERS } from "../fleet/fixture.ts";
import type { Ledger } from "./ledger.ts";

const EVERY_MS = 2_000;

/** Users with browsers, who reach the servers at these ports as the balancer does. */
export type People = {
  /** Allows the device with this code. False if a server could not serve. */
  approve(userCode: string): Promise<boolean>;
  /** Signs one user in, and another out, from time to time. */
  stop(): Promise<void>;
};

/** Signs every user in, so that codes can be requested at once. */
export async function startPeople(issuer: string, ports: readonly number[], ledger: Ledger): Promise<People> {
  let turn = 0;
  const browser = () => newAgent(`http://localhost:${ports[turn++ % ports.length]}`, issuer);
  const kept: Agent[] = [];
  for (const name of USERS) kept.push(await signIn(browser(), name, ledger));

  let stopped = false;
  const going = (async () => {
    while (!stopped) {
      await pause(EVERY_MS);
      await comeAndGo().catch(() => {}); // it happened or not: in no list
    }
  })();

  async function comeAndGo(): Promise<void> {
    const visitor = browser();
    await visit(visitor, USERS[turn % USERS.length] ?? "");
    const cookie = cookiesOf(visitor);
    const page = await visitor.submit(await visitor.open("/account"), { button: "Sign out" });
    if (page.status === 200) ledger.endedSessions.push(cookie);
  }

  async function approve(userCode: string): Promise<boolean> {
    try {
      const agent = kept[turn++ % kept.length];
      if (!agent) return false;
      const page = await agent.submit(await agent.open("/device"), { fields: { Code: userCode }, button: "Continue" });
      return (await agent.submit(page, { button: "Allow" })).status === 200;
    } catch {
      return false;
    }
  }

  return {
    approve,
    async stop() {
      stopped = true;
      await going;
    },
  };
}

async function signIn(agent: Agent, name: string, ledger: Ledger): Promise<Agent> {
  await visit(agent, name);
  ledger.sessions.push(cookiesOf(agent));
  return agent;
}

async function visit(agent: Agent, name: string): Promise<void> {
  const page = await agent.submit(await agent.open("/sign-in"), {
    fields: { Email: emailOf(name), Password: PASSWORD },
    button: "Sign in",
  });
  if (page.status !== 200) throw new Error(`sign-in of ${name}: ${page.status} ${page.url}`);
}

const cookiesOf = ({ cookies }: Agent) => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
