import type { TraceSettings } from "@gatehouse/installation";
import type { Tracing } from "@gatehouse/runtime/tracing";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  NodeTracerProvider,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace-node";
import type { Logger } from "pino";
import { createTracing } from "./spans.ts";

/** How long the receiver may take for a batch, and for the last one when the process ends. */
const SEND_MS = 5_000;
const LAST_MS = 1_500;

/**
 * OpenTelemetry's SDK, sending over HTTP. Nothing is registered globally: only what {@link Tracing} is told is traced.
 * This module, a bundle of its own, is loaded only where traces are on. OP-76
 */
export function startOpenTelemetry(
  settings: TraceSettings,
  { version, log }: { version: string; log: Logger },
): { tracing: Tracing; close(): Promise<void> } {
  const exporter = new OTLPTraceExporter({
    url: settings.url,
    headers: { ...settings.headers },
    timeoutMillis: SEND_MS,
  });
  const provider = new NodeTracerProvider({
    sampler: samplerOf(settings.sampler),
    resource: resourceFromAttributes({
      ...settings.attributes,
      "service.name": settings.serviceName,
      "service.version": version,
      "process.pid": process.pid,
    }),
    spanProcessors: [new BatchSpanProcessor(loggingFailures(exporter, log))],
  });
  return {
    tracing: createTracing(provider.getTracer("gatehouse", version)),
    /** Sends what waits, but does not wait for long: the process is about to end. */
    async close() {
      const late = new Promise<void>((resolve) => setTimeout(resolve, LAST_MS).unref());
      await Promise.race([provider.shutdown().catch(() => {}), late]);
    },
  };
}

const SAMPLERS: Record<TraceSettings["sampler"]["name"], (share: number) => Sampler> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (share) => new TraceIdRatioBasedSampler(share),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: (share) => new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
};

const samplerOf = ({ name, share }: TraceSettings["sampler"]) => SAMPLERS[name](share);

/** Logs when sending begins to fail and when it works again, not each batch. Spans that cannot be sent are lost. */
function loggingFailures(exporter: SpanExporter, log: Logger): SpanExporter {
  let fails = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const failed = result.code !== 0;
        if (failed && !fails) log.warn({ err: result.error }, "traces cannot be sent, and are lost until they can");
        if (!failed && fails) log.info({}, "traces are sent again");
        fails = failed;
        done(result);
      }),
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}
