import type {} from "vitest";
import type { TestProject } from "vitest/node";
import { fixture } from "./fixture.ts";
import { type Engine, type Gatehouse, IS_SHARED, startGatehouse } from "./gatehouse.ts";
import { startRun } from "./run.ts";

declare module "vitest" {
  export interface ProvidedContext {
    issuer: string;
    adminUrl: string;
    env: Record<string, string>;
  }
}

/**
 * One PostgreSQL and the templates of databases for all files, and a server on SQLite; one on PostgreSQL starts when a
 * file asks for it. Files that need another setup start their own.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const started: Gatehouse[] = [];
  async function share(engine: Engine): Promise<Gatehouse> {
    const gatehouse = await startGatehouse({ engine, fixture: fixture() });
    started.push(gatehouse);
    return gatehouse;
  }
  const run = await startRun(share);
  if (!IS_SHARED) return run.close;
  const { issuer, adminUrl, env } = await run.shared("sqlite");
  project.provide("issuer", issuer);
  project.provide("adminUrl", adminUrl);
  project.provide("env", env);
  return async () => {
    await Promise.all(started.map(({ stop }) => stop()));
    await run.close();
  };
}
