// The commands of the server package that the testing kit uses, from this repository as it is built.
if (process.argv[2] === "web") {
  process.env.NODE_ENV = "production";
  await import("../../apps/web/dist/server.mjs");
} else {
  await import("../../packages/cli/dist/main.mjs");
}
