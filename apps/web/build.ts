import { rm } from "node:fs/promises";
import { build } from "esbuild";
import { bundles } from "./bundles.ts";

// Bundles the server into dist/.
await rm("dist", { recursive: true, force: true });
await Promise.all(
  bundles({ outdir: "dist", sourcemap: process.env["SOURCE_MAPS"] === "1" }).map((bundle) => build(bundle)),
);
