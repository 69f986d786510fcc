// Starters that no program of the registry makes, as the documentation of each framework has them.

const manifest = (scripts: Record<string, string>): string =>
  `${JSON.stringify({ name: "shop", version: "1.0.0", private: true, type: "module", scripts }, null, 2)}\n`;
const GITIGNORE = "node_modules/\ndist/\n";

/** Express's "Hello world". */
export const EXPRESS = {
  "package.json": manifest({ dev: "node app.js" }),
  ".gitignore": GITIGNORE,
  "app.js": `import express from "express";

const app = express();

app.get("/", (req, res) => {
  res.type("html").send("Hello World!");
});

app.listen(process.env.PORT ?? 3000, "localhost");
`,
};

/** The template nodejs of create-hono. */
export const HONO = {
  "package.json": manifest({ dev: "tsx src/index.ts", build: "tsc" }),
  ".gitignore": GITIGNORE,
  "tsconfig.json": `{
  "compilerOptions": {
    "target": "ESNext",
    "module": "NodeNext",
    "strict": true,
    "verbatimModuleSyntax": true,
    "skipLibCheck": true,
    "types": ["node"],
    "jsx": "react-jsx",
    "jsxImportSource": "hono/jsx",
    "outDir": "./dist"
  },
  "exclude": ["node_modules"]
}
`,
  "src/index.ts": `import { serve } from "@hono/node-server";
import { Hono } from "hono";

const app = new Hono();

app.get("/", (c) => {
  return c.html("Hello Hono!");
});

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000), hostname: "localhost" });
`,
};

/** Vite's starter with a server that also serves what it builds. */
export const VITE_WITH_HONO = {
  "server.ts": `import { serve } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";

const app = new Hono();

app.use(serveStatic({ root: "dist" }));

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000), hostname: "localhost" });
`,
};
