// npm run pack: builds the published packages into dist/packages, checks and packs them, and writes the reports of the
// sdk's API. `-- sdk` packs one.
import { build, fail, install, requireNode } from "./steps.mjs";

requireNode();
await install();
// They need libraries, which a fresh clone does not have before.
const { apiReports, writeApiReports } = await import("./pack/api-reports.mjs");
const { BUILDS, pack } = await import("./pack/pack.mjs");
const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(BUILDS);
const unknown = names.find((name) => !(name in BUILDS));
if (unknown) fail(`There is no package ${unknown}. The packages are ${Object.keys(BUILDS).join(", ")}.`, 2);

if (names.includes("server")) await build();
for (const name of names) {
  const { folder, tarball, size, unpackedSize } = await pack(name).catch((error) => fail(error.message));
  if (name === "sdk") for (const file of await writeApiReports(await apiReports(folder))) console.log(`› ${file}`);
  console.log(`${tarball}: ${kilobytes(size)}, unpacked ${kilobytes(unpackedSize)}`);
}

function kilobytes(bytes) {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
