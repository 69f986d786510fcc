// npm run deploy:secrets: makes the files that the compose files name as secrets, in the folder `secrets`. One that
// exists stays as it is. `-- --postgres`: those of compose.postgres.yaml. OP-04
import { randomBytes } from "node:crypto";
import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fail, ROOT } from "../steps/common.mjs";

/** The users of the containers that read them: ours, and PostgreSQL's. */
const GATEHOUSE = 65_532;
const POSTGRES = 999;

const [option, ...more] = process.argv.slice(2);
if (more.length > 0 || ![undefined, "--postgres"].includes(option))
  fail("usage: npm run deploy:secrets [-- --postgres]", 2);
const folder = join(ROOT, "secrets");
mkdirSync(folder, { recursive: true, mode: 0o711 }); // containers open the files by name
const isRoot = process.getuid?.() === 0;
const orders = [];

secret("gatehouse_secret", GATEHOUSE, random());
if (option === "--postgres") {
  const password = secret("postgres_password", POSTGRES, random());
  secret("database_url", GATEHOUSE, `postgres://gatehouse:${password}@postgres:5432/gatehouse`);
}
console.log("Keep a copy of secrets/gatehouse_secret away from this machine: without it, a backup cannot be used.");
if (orders.length > 0) console.log(`The containers must be able to read them:\n  sudo ${orders.join(" && sudo ")}`);

function random() {
  return randomBytes(32).toString("base64url");
}

/** Writes the file unless it exists, readable by the user of the container alone. Returns what is in it. */
function secret(name, owner, value) {
  const file = join(folder, name);
  if (existsSync(file)) {
    console.log(`› secrets/${name} is there already`);
    return name === "postgres_password" ? read(file) : value;
  }
  writeFileSync(file, `${value}\n`, { mode: 0o400, flag: "wx" });
  if (isRoot) chownSync(file, owner, owner);
  else orders.push(`chown ${owner}:${owner} secrets/${name}`);
  console.log(`› secrets/${name}`);
  return value;
}

function read(file) {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    return fail(
      `${file} cannot be read (${error.code}): run this with sudo, or delete the folder secrets to start over.`,
    );
  }
}
