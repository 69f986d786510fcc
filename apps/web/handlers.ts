import { followMaintenance, openInstallation, serveHandlers } from "@gatehouse/installation";
import { processEnv } from "./server/start/env.ts";
import { openLog } from "./server/start/log.ts";
import { followReloads } from "./server/start/reload.ts";
import { receiveSecrets } from "./server/start/secrets.ts";

// Runs as a process of server.ts: webhook handlers cannot stop the server from here.
// docs/decisions/0021-handlers-have-a-process.md

/** Handlers use those for scheduled work; this is for reading endpoints. */
const CONNECTIONS = 2;

const env = processEnv(await receiveSecrets());
const { log } = openLog(env.logLevel, { sync: true }); // the last lines before a crash are the ones that matter
followReloads(log);
const installation = await openInstallation({ ...env.settings, databasePool: CONNECTIONS }, { log });
installation.database.deferCheckpoints(); // the server has a thread for them
await followMaintenance(installation.database, log); // handlers write too
serveHandlers(installation);
