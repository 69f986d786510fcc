import { AsyncLocalStorage } from "node:async_hooks";
import type { Tracing, WorkKind } from "@gatehouse/runtime/tracing";
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from "@opentelemetry/api";

/** W3C Trace Context §3.2 */
const TRACEPARENT = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/;

const KINDS: Record<WorkKind, SpanKind> = {
  statement: SpanKind.CLIENT,
  hash: SpanKind.INTERNAL,
  outbound: SpanKind.CLIENT,
};

/**
 * Makes spans of requests and jobs, and of the work that belongs to them. A request that the sampler leaves out costs
 * no more than its decision.
 */
export function createTracing(tracer: Tracer): Tracing {
  const current = new AsyncLocalStorage<Span>();

  const worked: Tracing["worked"] = (kind, name, beganMs, facts, failed = false) => {
    const parent = current.getStore();
    if (!parent) return;
    const options = { kind: KINDS[kind], startTime: beganMs, attributes: { ...facts } };
    const span = tracer.startSpan(name, options, trace.setSpan(ROOT_CONTEXT, parent));
    if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(performance.now());
  };

  return {
    worked,
    begin(kind) {
      const beganMs = performance.now();
      return (name, facts, failed) => worked(kind, name, beganMs, facts, failed);
    },

    request({ method, headers, beganMs }, answer) {
      const facts = { "http.request.method": method, "gatehouse.request_id": String(headers["x-request-id"]) };
      const options = { kind: SpanKind.SERVER, startTime: beganMs, attributes: facts };
      const span = tracer.startSpan(method, options, parentIn(headers["traceparent"]));
      if (!span.isRecording()) return answer();
      const { traceId, spanId } = span.spanContext();
      headers["traceparent"] = `00-${traceId}-${spanId}-01`; // for the line of the log, and the process of Next
      return current.run(span, answer);
    },

    requestEnded(route, method, status) {
      const span = current.getStore();
      if (!span) return;
      span.updateName(`${method} ${route}`);
      span.setAttributes({ "http.route": route, "http.response.status_code": status });
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end(performance.now());
    },

    job(queue, run) {
      const span = tracer.startSpan(`job ${queue}`, { attributes: { "gatehouse.queue": queue } }, ROOT_CONTEXT);
      if (!span.isRecording()) return run();
      return current.run(span, () => run().finally(() => span.end()));
    },
  };
}

/** Of a trusted proxy: `overwriteClaims` has deleted the header of anybody else. */
function parentIn(traceparent: unknown): Context {
  const [, traceId, spanId, flags] = (typeof traceparent === "string" && TRACEPARENT.exec(traceparent)) || [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}
