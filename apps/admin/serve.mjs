import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { drain, trackConnections } from "@gatehouse/lifecycle/drain";
import { onStop, readPatience } from "@gatehouse/lifecycle/stop";
import next from "next";

// `next start` waits for ever for a busy keep-alive connection, and ends with an error. So the console has a server of its own.
const KEEP_ALIVE_MS = 75_000;
const CLOSE_WITHIN_MS = 3_000;
const [host = "localhost", port = "3001"] = process.argv.slice(2);

const patience = orExplain(() => readPatience(process.env, process.env.GATEHOUSE_ADMIN_URL || "http://localhost"));
const app = next({ dir: fileURLToPath(new URL(".", import.meta.url)), hostname: host, port: Number(port) });
const handle = app.getRequestHandler();
const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, async (incoming, outgoing) => {
  try {
    await handle(incoming, outgoing);
  } catch (error) {
    console.error(error);
    if (!outgoing.headersSent) outgoing.writeHead(500);
    outgoing.end();
  }
});
trackConnections(server);

await app.prepare().catch((error) => explain(error));
server.once("error", (error) =>
  explain(error.code === "EADDRINUSE" ? new Error(`ADMIN_PORT ${port} is taken on ${host}. Set ADMIN_PORT to another one.`) : error),
);
server.listen(Number(port), host);
onStop(() => void stop());

/** Lets requests that are under way finish. Exit code 1 says that some were cut. */
async function stop() {
  setTimeout(() => process.exit(1), patience.stopSeconds * 1000 + CLOSE_WITHIN_MS).unref();
  const finished = await drain([server], patience);
  await app.close();
  process.exit(finished ? 0 : 1);
}

function orExplain(read) {
  try {
    return read();
  } catch (error) {
    return explain(error);
  }
}

function explain(error) {
  console.error(`The console cannot start: ${error instanceof Error ? error.message : error}`);
  process.exit(1);
}
