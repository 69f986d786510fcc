import { readFact, writeFact } from "@gatehouse/db/facts";
import type { OperationDeps } from "../deps.ts";
import type { Checked } from "./checked.ts";
import { CHECKS, type CheckName } from "./checks.ts";

/** `since`: Unix seconds; null for a check without a finding. */
export type AttentionItem = Omit<Checked, "startedAt"> & { check: CheckName; since: number | null };
/** `at`: when the checks ran. */
export type Attention = { at: number; items: AttentionItem[] };

/** The result of the last run, as JSON. */
const FACT = "attention";
const STALE_SECONDS = 5 * 60;

type Deps = Pick<OperationDeps, "db" | "reads" | "now" | "seal" | "writeHealth">;

/**
 * The checks of the overview as they were at the last run, which is at most a minute ago. With `again`, or without a
 * recent run, they run now. CO-09.
 */
export async function getAttention({ again = false }: { again?: boolean | undefined }, deps: Deps): Promise<Attention> {
  const last = parse(await readFact(deps.reads, FACT));
  if (!again && last && deps.now() - last.at < STALE_SECONDS) return last;
  return runChecks(last, deps);
}

/** Runs the checks and stores what they find. Called every minute, by one process. */
export async function noteAttention(deps: Deps): Promise<void> {
  const next = await runChecks(parse(await readFact(deps.reads, FACT)), deps);
  await writeFact(deps.db, FACT, JSON.stringify(next));
}

async function runChecks(last: Attention | undefined, deps: Deps): Promise<Attention> {
  const at = deps.now();
  const known = new Map(last?.items.map((item) => [keyOf(item), item.since]));
  const found = await Promise.all(
    Object.entries(CHECKS).map(async ([name, check]) => {
      const items = await check(deps);
      return items.map(({ startedAt, ...item }) => {
        const one = { ...item, check: name as CheckName };
        return { ...one, since: item.state === "ok" ? null : (startedAt ?? known.get(keyOf(one)) ?? at) };
      });
    }),
  );
  return { at, items: found.flat() };
}

const keyOf = ({ check, object }: Pick<AttentionItem, "check" | "object">) => `${check} ${object ?? ""}`;

function parse(stored: string | undefined): Attention | undefined {
  return stored === undefined ? undefined : JSON.parse(stored); // written by noteAttention, so it has this shape
}
