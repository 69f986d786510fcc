import type {} from "vitest";
import type { TestProject } from "vitest/node";
import { fixture } from "./fixture.ts";
import { startGatehouse } from "./gatehouse.ts";

declare module "vitest" {
  export interface ProvidedContext {
    issuer: string;
    adminUrl: string;
    env: Record<string, string>;
  }
}

/** One server on SQLite for all files. Files that need another setup start their own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const gatehouse = await startGatehouse({ engine: "sqlite", fixture: fixture() });
  project.provide("issuer", gatehouse.issuer);
  project.provide("adminUrl", gatehouse.adminUrl);
  project.provide("env", gatehouse.env);
  return gatehouse.stop;
}
