import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CLIENTS, PASSWORD } from "../harness/fixture.ts";
import { obtainTokens, postAs, signIn } from "../harness/flow.ts";
import { startWeb } from "../harness/gatehouse.ts";
import { encodeForm, send } from "../harness/http.ts";
import { type Installation, newInstallation } from "../harness/installation.ts";
import type { Running } from "../harness/processes.ts";
import { openTraceReceiver, type ReceivedSpan, type TraceReceiver } from "../harness/trace-receiver.ts";

const onNext = process.env["GATEHOUSE_TEST_MOUNT"] === "next"; // only our own server traces
const [SERVER, CLIENT] = [2, 3];
const { service, web } = CLIENTS;
const AUTHORIZATION = "Bearer the-credential-of-the-receiver";

/** The token request of a trusted proxy that traces. */
const traceId = randomBytes(16).toString("hex");
const spanOfProxy = randomBytes(8).toString("hex");

function requestToken(issuer: string, flags: "00" | "01", trace = traceId) {
  const { client_id, client_secret = "" } = service;
  return send(issuer, "/token?leaked-query=1", {
    method: "POST",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      traceparent: `00-${trace}-${spanOfProxy}-${flags}`,
      "x-request-id": "id-of-the-proxy",
      "user-agent": "leaked-header",
    },
    body: encodeForm({ grant_type: "client_credentials", client_id, client_secret, note: "leaked-body" }),
  });
}

describe.skipIf(onNext).each(["sqlite", "postgres"] as const)("OP-76 traces of a server on %s", (engine) => {
  let receiver: TraceReceiver;
  let own: Installation;
  let server: Running;
  let secrets: string[];
  const untraced = randomBytes(16).toString("hex");

  beforeAll(async () => {
    receiver = await openTraceReceiver();
    own = await newInstallation(engine, {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=${encodeURIComponent(AUTHORIZATION)}`,
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=tests",
      OTEL_TRACES_SAMPLER_ARG: "1",
      WEB_CONCURRENCY: engine === "postgres" ? "2" : "1",
    });
    server = await startWeb(own.env, own.port);
    const issued = await requestToken(own.issuer, "01");
    const tokens = await obtainTokens(await signIn(own.issuer, "bearer"), web);
    await requestToken(own.issuer, "00", untraced);
    await postAs(own.issuer, "/introspect", service, { token: tokens.access });
    const access = String(JSON.parse(issued.text).access_token);
    secrets = [access, tokens.access, tokens.refresh, PASSWORD, service.client_secret ?? "", web.client_secret ?? ""];
    await server.stop(); // long before a batch is due
  });
  afterAll(async () => {
    await server?.crash();
    await own?.remove();
    await receiver?.close();
  });

  const childrenOf = ({ spanId }: ReceivedSpan) => receiver.spans.filter((span) => span.parentSpanId === spanId);
  function requestOf(name: string, trace?: string): ReceivedSpan {
    const found = receiver.spans.find((span) => span.name === name && (trace === undefined || span.traceId === trace));
    if (!found) throw new Error(`no span ${name} among ${receiver.spans.map((span) => span.name).join(", ")}`);
    return found;
  }

  test("what was traced is sent before the process ends, with the headers for the receiver", () => {
    expect(server.child.exitCode).toBe(0);
    expect([...receiver.authorizations]).toEqual([AUTHORIZATION]);
    const { process: from } = requestOf("POST /token");
    expect(from).toMatchObject({ "service.name": "gatehouse", "deployment.environment.name": "tests" });
    if (engine === "postgres") expect(Number(from["process.pid"])).not.toBe(server.child.pid); // a worker's
  });

  test("a token request is part of the trusted proxy's trace, and its statements are part of the request", () => {
    const request = requestOf("POST /token", traceId);
    expect(request).toMatchObject({
      kind: SERVER,
      parentSpanId: spanOfProxy,
      attributes: {
        "http.request.method": "POST",
        "http.route": "/token",
        "http.response.status_code": 200,
        "gatehouse.request_id": "id-of-the-proxy",
      },
    });
    const statements = childrenOf(request);
    expect(statements.map(({ kind, traceId: trace }) => [kind, trace])).toContainEqual([CLIENT, traceId]);
    expect(statements).toContainEqual(
      expect.objectContaining({
        name: expect.stringMatching(/access_tokens$/),
        attributes: expect.objectContaining({
          "db.system.name": engine === "sqlite" ? "sqlite" : "postgresql",
          "db.collection.name": "access_tokens",
        }),
      }),
    );
  });

  test("a password is a span of its sign-in, and a sampler of the proxy counts", () => {
    expect(childrenOf(requestOf("POST /sign-in")).map(({ name }) => name)).toContain("hash a password");
    expect(receiver.spans.filter((span) => span.traceId === untraced)).toEqual([]);
  });

  test("no span has a secret, a query, a body or a header", () => {
    const text = receiver.text();
    expect(receiver.spans.length).toBeGreaterThan(10);
    for (const secret of secrets.filter(Boolean)) expect(text).not.toContain(secret);
    expect(text).not.toMatch(/leaked-|code_verifier|redirect_uri|localhost:4000|\?/);
  });
});
