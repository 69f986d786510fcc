// npm run bundle: writes dist/gatehouse, a folder that runs by itself on this platform with this major version of Node:
// the package @gatehouse/server and the libraries that it depends on. The image and the systemd units run it.
// `--installed`: the dependencies are installed already, as in the Dockerfile, which does it without a network.
import { join } from "node:path";
import { build, fail, install, ROOT, requireNode } from "./steps.mjs";

requireNode();
if (!process.argv.includes("--installed")) await install();
await build();
const { bundle } = await import("./pack/bundle.mjs"); // which needs libraries
await bundle(join(ROOT, "dist/gatehouse")).catch((error) => fail(error.message));
console.log("› dist/gatehouse");
