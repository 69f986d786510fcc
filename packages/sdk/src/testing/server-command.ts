import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { GatehouseError } from "../error.ts";

const PACKAGE = "@gatehouse/server";

/**
 * The program of the server package that is installed beside the product.
 *
 * @throws GatehouseError `configuration` if there is none.
 */
export function serverCommand(): string {
  const manifest = createRequire(join(process.cwd(), "package.json"))
    .resolve.paths(PACKAGE)
    ?.map((folder) => join(folder, PACKAGE, "package.json"))
    .find((file) => existsSync(file));
  if (manifest === undefined)
    throw new GatehouseError("configuration", `${PACKAGE} is not installed. Run: npm install --save-dev ${PACKAGE}`);
  const { bin } = JSON.parse(readFileSync(manifest, "utf8")) as { bin: { gatehouse: string } };
  return join(dirname(manifest), bin.gatehouse);
}
