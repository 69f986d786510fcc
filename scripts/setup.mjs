// npm run setup: installs everything, the tools of the tests too. npm test does the same.
import { install, requireNode } from "./steps.mjs";

requireNode();
await install("all");
