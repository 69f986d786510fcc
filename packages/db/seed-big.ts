// pnpm --filter @gatehouse/db seed:big <database URL>: fills an empty database with a large installation, for
// measurements.
import { openDatabase } from "./src/database.ts";
import { BIG, fillBig } from "./src/testing/big.ts";

const [url] = process.argv.slice(2);
if (url === undefined) {
  console.error("Name the database: pnpm --filter @gatehouse/db seed:big file:/tmp/big.db");
  process.exit(1);
}
const database = await openDatabase(url);
await database.migrate();
await fillBig(database, { ...BIG, now: Math.floor(Date.now() / 1000) });
await database.close();
