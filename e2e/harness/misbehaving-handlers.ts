import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openDatabase } from "@gatehouse/db/database";

const LIST = "packages/product/src/handlers.ts";

/** Adds handlers of Stripe's events that crash, block and leak to a clone. */
export async function addMisbehavingHandlers(clone: string): Promise<void> {
  const file = join(clone, LIST);
  const text = await readFile(file, "utf8");
  const imported = `import { MISBEHAVING } from "../../work/src/handlers/testing/misbehaving.ts";\n${text}`;
  await writeFile(
    file,
    imported.replace("stripe: { ", () => "stripe: { ...MISBEHAVING, "),
  );
}

/** Whose handlers kill the process, exit, loop for ever, leave a rejected promise, and use up the memory. */
export const MISBEHAVING_TYPES = [
  "payout.created",
  "payout.failed",
  "payout.canceled",
  "payout.paid",
  "payout.updated",
];

/** The state of each event of these types. */
export async function statesOf(databaseUrl: string, types: readonly string[]): Promise<string[]> {
  const database = await openDatabase(databaseUrl);
  try {
    const { db } = database;
    const { tables } = db;
    const events = await db
      .select({ type: tables.webhookEvents.eventType, state: tables.webhookEvents.state })
      .from(tables.webhookEvents);
    return events.filter(({ type }) => type !== null && types.includes(type)).map(({ state }) => state);
  } finally {
    await database.close();
  }
}
