// Appends a result of `--against … --json` to a history and prints its last nights as a table:
//   tsx bench/against/history.ts <result> <history>
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { historyTable, type Night } from "./nights.ts";

const NIGHTS = 30;
/** About a year. */
const KEPT = 400;

const [result = "", file = ""] = process.argv.slice(2);
const earlier = existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : [];
const lines = [...earlier, readFileSync(result, "utf8").trim()].slice(-KEPT);
writeFileSync(file, `${lines.join("\n")}\n`);
const nights = lines.slice(-NIGHTS).map((line): Night => JSON.parse(line));
console.log(
  `\n## The last ${nights.length} nights\n\nCPU time for a request, × the other commit's.\n\n${historyTable(nights)}`,
);
