import { VERSION } from "@gatehouse/installation";
import { cutConnections } from "@gatehouse/runtime/drain";
import { metrics } from "@gatehouse/runtime/metrics";
import type { App, OnWait } from "../start/app.ts";
import { expose } from "./exposition.ts";
import { listenOps, type OpsAnswers } from "./listen.ts";
import { describeReadiness, describeWaiting } from "./readiness.ts";
import { createServerSnapshot } from "./worker-snapshots.ts";

/** Serves metrics of all processes of this server, and what they know of themselves. Called in the first one. OP-73 */
export async function startOps(app: App): Promise<void> {
  const snapshot = createServerSnapshot();
  metrics.buildInfo.series(VERSION, process.version, app.database.dialect).set(1);
  await listenOps(app, {
    "/metrics": async () => expose(await snapshot()),
    ...readiness(() => describeReadiness(app)),
  });
}

/** Serves the same while the server waits for its schema, without metrics. OP-71 */
export const answerOpsUnready: OnWait = async (env, { log, missing }) => {
  const server = await listenOps(
    { env, log },
    readiness(() => describeWaiting(missing)),
  );
  return async () => {
    if (!server) return;
    const closed = new Promise((resolve) => server.close(resolve));
    cutConnections([server]);
    await closed;
  };
};

/** At `/` too, where a person looks first. */
function readiness(describe: OpsAnswers[string]): OpsAnswers {
  return { "/": describe, "/readyz": describe };
}
