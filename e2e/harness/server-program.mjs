// The commands of the server package that the testing kit uses, from this repository as it is built.
const isServer = process.argv[2] === "web";
if (isServer) process.env.NODE_ENV = "production";
const program = isServer ? "apps/web/dist/server.mjs" : "packages/cli/dist/main.mjs";
await import(new URL(`../../${program}`, import.meta.url).href);
