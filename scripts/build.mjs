// npm run build: installs what the apps need, and builds what changed.
import { build, install, requireNode } from "./steps.mjs";

requireNode();
await install("run");
await build();
