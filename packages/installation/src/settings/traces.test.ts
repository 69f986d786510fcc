import { describe, expect, test } from "vitest";
import { z } from "zod";
import { traceSettings, traceVariables } from "./traces.ts";

const read = (variables: Record<string, string>) => traceSettings(z.object(traceVariables).parse(variables));
const BASE = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318/" };

describe("OP-76 settings of traces", () => {
  test("without a receiver, or if they are disabled, there are none", () => {
    expect(read({ OTEL_SERVICE_NAME: "shop" })).toBeUndefined();
    expect(read({ ...BASE, OTEL_SDK_DISABLED: "True" })).toBeUndefined();
  });

  test("with the defaults, one request in a hundred is traced", () => {
    expect(read(BASE)).toEqual({
      url: "http://127.0.0.1:4318/v1/traces",
      headers: {},
      sampler: { name: "parentbased_traceidratio", share: 0.01 },
      serviceName: "gatehouse",
      attributes: {},
    });
  });

  test("the address for traces alone is used as it is, and lists are decoded", () => {
    expect(
      read({
        ...BASE,
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://traces.example/in",
        OTEL_EXPORTER_OTLP_HEADERS: "authorization=Basic%20YTpi, x-tenant = 7",
        OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=production,",
      }),
    ).toMatchObject({
      url: "https://traces.example/in",
      headers: { authorization: "Basic YTpi", "x-tenant": "7" },
      attributes: { "deployment.environment.name": "production" },
    });
  });

  test.each([
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318", /http or https URL/],
    ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc", /gRPC is not supported/],
    ["OTEL_TRACES_SAMPLER", "sometimes", /must be one of always_on/],
    ["OTEL_TRACES_SAMPLER_ARG", "1.5", /share from 0 to 1/],
    ["OTEL_TRACES_SAMPLER_ARG", "all", /share from 0 to 1/],
    ["OTEL_EXPORTER_OTLP_HEADERS", "a=b,the-secret", /^OTEL_EXPORTER_OTLP_HEADERS must be a list.*entry 2 is not$/],
    ["OTEL_EXPORTER_OTLP_HEADERS", "a=%zz", /entry 1 is not$/],
  ])("OP-11 %s=%s is refused", (variable, value, message) => {
    const reading = () => read({ ...BASE, [variable]: value });
    expect(reading).toThrow(message);
    expect(reading).not.toThrow(/the-secret/);
  });
});
