// Lays out what the image adds to its base: `node scripts/image/root.mjs /image`, after `npm run bundle`. OP-02
import { chmod, cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../steps/common.mjs";

/** Where the program is in the image. */
const PROGRAM = "/opt/gatehouse";

/** Without /usr/bin/env, which the base does not have. It is CommonJS, because its name has no extension. */
const COMMAND = `#!/usr/local/bin/node\nimport("${PROGRAM}/bin/gatehouse.mjs");\n`;

/** Of any user, since `docker run --user` and OpenShift pick one that the image does not know; sticky, as /tmp is. */
const FOR_ALL = 0o1777;

const [target] = process.argv.slice(2);
if (!target?.startsWith("/")) throw new Error("usage: node scripts/image/root.mjs <absolute folder>");

await cp(join(ROOT, "dist/gatehouse"), join(target, PROGRAM), { recursive: true });
await mkdir(join(target, "usr/local/bin"), { recursive: true });
await writeFile(join(target, "usr/local/bin/gatehouse"), COMMAND, { mode: 0o755 });
await mkdir(join(target, "usr/share/doc/node"), { recursive: true });
await cp("/usr/local/LICENSE", join(target, "usr/share/doc/node/LICENSE"));
for (const folder of ["data", "tmp"]) {
  await mkdir(join(target, folder), { recursive: true });
  await chmod(join(target, folder), FOR_ALL);
}
