import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Packages } from "./package-json.ts";
import { UnsureError } from "./unsure.ts";

/** The packages that a product installs, in one exact version. PK-08, PK-20 */
export const publishedPackages = (version: string): Packages => ({
  dependencies: { "@gatehouse/sdk": version },
  devDependencies: { "@gatehouse/server": version },
});

const TARBALL = /^gatehouse-(sdk|server|sqlite-.+)-\d[^/]*\.tgz$/;

/** The packages in a folder of tarballs, as `npm run pack` writes them. Throws UnsureError if it lacks one. */
export function packagesIn(folder: string): Packages {
  const found = readdirSync(resolve(folder)).flatMap((file) => {
    const [, name] = TARBALL.exec(file) ?? [];
    return name === undefined ? [] : [[name, `file:${join(resolve(folder), file)}`] as const];
  });
  const { sdk, ...others } = Object.fromEntries(found);
  if (sdk === undefined || others["server"] === undefined)
    throw new UnsureError(`${folder} needs the tarballs of @gatehouse/sdk and @gatehouse/server.`);
  const named = Object.entries(others).map(([name, file]) => [`@gatehouse/${name}`, file] as const);
  return { dependencies: { "@gatehouse/sdk": sdk }, devDependencies: Object.fromEntries(named) };
}
