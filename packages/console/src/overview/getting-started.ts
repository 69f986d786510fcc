import { CLI_CLIENT_ID, CONSOLE_CLIENT_ID } from "../clients/built-in-clients.ts";
import type { OperationDeps } from "../deps.ts";
import { readFirstSteps } from "./first-step-queries.ts";

/** The steps of a new installation, in order. CO-15. */
export const FIRST_STEPS = [
  "application",
  "development_client",
  "first_token",
  "second_admin",
  "webhook_provider",
  "first_delivery",
  "production_client",
  "mail",
] as const;
export type FirstStep = (typeof FIRST_STEPS)[number];

/** Which steps are done, read from the data itself. Counts may lag 10 seconds. CO-15. */
export async function getFirstSteps({
  reads,
  outbox,
}: Pick<OperationDeps, "reads" | "outbox">): Promise<{ step: FirstStep; done: boolean }[]> {
  const has = await readFirstSteps(reads, [CONSOLE_CLIENT_ID, CLI_CLIENT_ID]);
  const done: Record<FirstStep, boolean> = {
    application: has.application,
    development_client: has.developmentClient,
    first_token: has.token,
    second_admin: has.secondAdmin,
    webhook_provider: has.endpoint,
    first_delivery: has.delivery,
    production_client: has.productionClient,
    mail: outbox?.delivery === "smtp",
  };
  return FIRST_STEPS.map((step) => ({ step, done: done[step] }));
}
