import { createInterface } from "node:readline";
import type { Hash } from "@gatehouse/auth";
import { openDatabase } from "../database.ts";
import { createAuthStore } from "../stores/auth/store.ts";

// Revokes access tokens in a process of its own, in the database named by its argument: reads a hash a line, and prints
// it when the revocation is committed. Prints a line when it starts.
const database = await openDatabase(process.argv[2] ?? "");
const store = createAuthStore(database.db);
const say = (line: string) => process.stdout.write(`${line}\n`);
say("ready");
for await (const hash of createInterface({ input: process.stdin })) {
  await store.revokeAccessToken(hash as Hash, 1);
  say(hash);
}
await database.close();
