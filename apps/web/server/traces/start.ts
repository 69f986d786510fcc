import { VERSION } from "@gatehouse/installation";
import { tracing } from "@gatehouse/runtime/tracing";
import type { App } from "../start/app.ts";

/** Traces this process if the settings say so. The app that it returns sends the last spans when it closes. OP-76 */
export async function withTraces(app: App): Promise<App> {
  const { traces } = app.env;
  if (!traces) return app;
  const { startOpenTelemetry } = await import("./open-telemetry.ts"); // not loaded otherwise
  const started = startOpenTelemetry(traces, { version: VERSION, log: app.log });
  tracing.current = started.tracing;
  const { sampler, serviceName } = traces;
  app.log.info({ receiver: new URL(traces.url).host, sampler, serviceName }, "traces are on");
  return {
    ...app,
    async close() {
      await app.close();
      tracing.current = undefined;
      await started.close();
    },
  };
}
