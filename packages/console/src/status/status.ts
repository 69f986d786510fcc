import type { OperationDeps } from "../deps.ts";
import { readFacts } from "./facts.ts";
import { ITEMS, type ItemName, type StatusLevel, type Verdict } from "./items.ts";

export type StatusItem = { name: ItemName; title: string; alert: string | null } & Verdict;

/** Whether the installation is well. `level`: the worst of the items. `at` in Unix seconds. */
export type Status = { at: number; level: StatusLevel; items: StatusItem[] };

const itemOf = (name: ItemName, verdict: Verdict): StatusItem => {
  const { title, alert } = ITEMS[name];
  return { name, title, alert, ...verdict };
};

/** A database that does not answer, or has no tables yet. */
async function withoutDatabase({ host, now }: Pick<OperationDeps, "host" | "now">): Promise<Status> {
  const missing = (await host?.().catch(() => undefined))?.missingMigrations ?? [];
  const sentence =
    missing.length > 0
      ? `The database lacks ${missing.length} migrations. Run gatehouse migrate.`
      : "The database cannot be read.";
  return { at: now(), level: "failed", items: [itemOf("database", { level: "failed", sentence })] };
}

const WORST_FIRST: readonly StatusLevel[] = ["failed", "warning", "ok"];

/** Judges what can be seen of the installation from this process and its database. */
export async function getStatus(deps: Pick<OperationDeps, "db" | "reads" | "now" | "host">): Promise<Status> {
  const facts = await readFacts(deps).catch(() => undefined);
  if (!facts) return withoutDatabase(deps);
  const items = (Object.keys(ITEMS) as ItemName[]).map((name) => itemOf(name, ITEMS[name].judge(facts)));
  const level = WORST_FIRST.find((one) => items.some((item) => item.level === one)) ?? "ok";
  return { at: facts.at, level, items };
}
