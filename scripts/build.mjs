// npm run build: installs and builds what changed.
import { build, install, requireNode } from "./ground.mjs";

requireNode();
await install();
await build();
