import { serveNext } from "./server/next/bundled.ts";

// Runs as a process of server.ts: Next, which renders React pages. docs/decisions/0028-preact-renders-the-pages.md

const [socketPath = ""] = process.argv.slice(2);
await serveNext(socketPath);
