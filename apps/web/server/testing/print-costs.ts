// Prints what each hot path asks of both engines as JSON, for the bench: node --import tsx
// server/testing/print-costs.ts <PostgreSQL URL>
import { measurePostgres, measureSqlite } from "./measure.ts";

process.env["GATEHOUSE_ENV_FILE"] = "off";
const [url = ""] = process.argv.slice(2);
const costs = { sqlite: await measureSqlite(), postgres: await measurePostgres(url) };
process.stdout.write(`\n${JSON.stringify(costs)}\n`, () => process.exit());
