// Another process on a server's database: commits a row that no cache has, so many times a second.
//   node --import tsx other-commits.ts <database URL> <commits a second>
import { openDatabase } from "../packages/db/src/database.ts";

const [url = "", perSecond = "20"] = process.argv.slice(2);
const { engine } = await openDatabase(url, { maxConnections: 1 });
const run = (sql: string) => (engine.dialect === "sqlite" ? engine.connection.exec(sql) : engine.pool.query(sql));

await run("CREATE TABLE IF NOT EXISTS other_commits (at bigint)");
process.send?.("ready");
setInterval(() => void run(`INSERT INTO other_commits VALUES (${Date.now()})`), 1000 / Number(perSecond));
for (const event of ["SIGTERM", "SIGINT", "disconnect"] as const) process.once(event, () => process.exit(0));
