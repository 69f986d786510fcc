import { VERSION } from "@gatehouse/installation";
import { metrics } from "@gatehouse/runtime/metrics";
import type { App } from "../start/app.ts";
import { expose } from "./exposition.ts";
import { listenOps } from "./listen.ts";
import { createServerSnapshot } from "./worker-snapshots.ts";

/** Serves metrics of all processes of this server. Called in the first one. OP-73 */
export async function startOps(app: App): Promise<void> {
  const snapshot = createServerSnapshot();
  metrics.buildInfo.series(VERSION, process.version, app.database.dialect).set(1);
  await listenOps(app, {
    "/metrics": async () => expose(await snapshot()),
  });
}
