import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A span as OTLP has it in JSON, with the attributes of itself and of its process as plain objects. */
export type ReceivedSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: Record<string, unknown>;
  process: Record<string, unknown>;
};

type Attributes = { key: string; value: Record<string, unknown> }[];
type Sent = {
  resourceSpans: {
    resource: { attributes: Attributes };
    scopeSpans: { spans: (Omit<ReceivedSpan, "attributes" | "process"> & { attributes: Attributes })[] }[];
  }[];
};

/** A receiver of OTLP over HTTP. */
export type TraceReceiver = {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  url: string;
  spans: ReceivedSpan[];
  /** Everything that was sent, as text. */
  text(): string;
  /** The `Authorization` headers of what was sent. */
  authorizations: Set<string | undefined>;
  close(): Promise<void>;
};

/** Opens a receiver on a free port of loopback. */
export async function openTraceReceiver(): Promise<TraceReceiver> {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  const authorizations = new Set<string | undefined>();
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const known = incoming.url === "/v1/traces" && incoming.headers["content-type"] === "application/json";
    if (known) {
      bodies.push(body);
      authorizations.add(incoming.headers.authorization);
      spans.push(...spansIn(JSON.parse(body) as Sent));
    }
    outgoing.writeHead(known ? 200 : 404, { "Content-Type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    text: () => bodies.join("\n"),
    authorizations,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function spansIn({ resourceSpans }: Sent): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        ...span,
        attributes: objectOf(span.attributes),
        process: objectOf(resource.attributes),
      })),
    ),
  );
}

const objectOf = (attributes: Attributes) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
