// npm run build: installs and builds what changed.
import { build, install, requireNode } from "./steps.mjs";

requireNode();
await install();
await build();
