import { z } from "zod";
import { wrongSetting } from "./error.ts";
import { type SettingsTable, shapeOf } from "./setting.ts";

const SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;
const SHARE = "must be a share from 0 to 1";
const LIST = "must be a list like name=value,other=value, with other characters percent-encoded";

/** Where traces go, and which. OP-76 */
export type TraceSettings = {
  /** Receives OTLP over HTTP. */
  url: string;
  /** Sent with each request to it. */
  headers: Readonly<Record<string, string>>;
  sampler: { name: (typeof SAMPLERS)[number]; share: number };
  serviceName: string;
  /** Further attributes of the resource. */
  attributes: Readonly<Record<string, string>>;
};

/** OpenTelemetry's names. Its exporter reads further ones by itself, such as `OTEL_BSP_MAX_QUEUE_SIZE`. */
export const TRACES = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    value: z.url({ protocol: /^https?$/, error: "must be an http or https URL" }).optional(),
    docs: {
      default: "none: no traces",
      meaning:
        "the address of a receiver of OTLP over HTTP; [traces](operations.md#traces) go to `/v1/traces` below it. Without " +
        "it and the next one nothing is traced, and nothing of OpenTelemetry is loaded",
      example: "http://127.0.0.1:4318",
    },
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
    value: z.url({ protocol: /^https?$/, error: "must be an http or https URL" }).optional(),
    docs: {
      default: "from the one above",
      meaning: "the complete address that receives traces",
      example: "http://127.0.0.1:4318/v1/traces",
    },
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    value: z.string().optional(),
    secret: true,
    docs: {
      default: "none",
      meaning: "headers for the receiver, which can be its credentials: `name=value,other=value`, percent-encoded",
      example: "",
    },
  },
  OTEL_EXPORTER_OTLP_PROTOCOL: {
    value: z
      .enum(["http/json", "http/protobuf"], "must be http/json or http/protobuf; gRPC is not supported")
      .default("http/json"),
    docs: {
      default: "`http/json`",
      meaning:
        "what the receiver accepts. Gatehouse sends JSON, which receivers of OTLP over HTTP accept besides Protobuf",
      example: "http/json",
    },
  },
  OTEL_SDK_DISABLED: {
    value: z.string().optional(),
    docs: { default: "`false`", meaning: "`true`: no traces, whatever the others say", example: "true" },
  },
  OTEL_TRACES_SAMPLER: {
    value: z.enum(SAMPLERS, `must be one of ${SAMPLERS.join(", ")}`).default("parentbased_traceidratio"),
    docs: {
      default: "`parentbased_traceidratio`",
      meaning: "which requests are traced; `parentbased_…` follows a trusted proxy that has decided already",
      example: "parentbased_traceidratio",
    },
  },
  OTEL_TRACES_SAMPLER_ARG: {
    value: z.coerce.number(SHARE).min(0, SHARE).max(1, SHARE).default(0.01),
    docs: {
      default: "`0.01`",
      meaning: "the share of requests that a `…traceidratio` sampler traces, from 0 to 1",
      example: "0.01",
    },
  },
  OTEL_SERVICE_NAME: {
    value: z.string().max(200).default("gatehouse"),
    docs: { default: "`gatehouse`", meaning: "the name of the server in traces", example: "gatehouse" },
  },
  OTEL_RESOURCE_ATTRIBUTES: {
    value: z.string().optional(),
    docs: {
      default: "none",
      meaning: "further attributes of each trace, like `deployment.environment.name=production`, percent-encoded",
      example: "deployment.environment.name=production",
    },
  },
} as const satisfies SettingsTable<never>;

export const traceVariables = shapeOf(TRACES);

/** Undefined: no traces. Throws SettingsError. */
export function traceSettings(given: z.output<z.ZodObject<typeof traceVariables>>): TraceSettings | undefined {
  const base = given.OTEL_EXPORTER_OTLP_ENDPOINT;
  const url = given.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base && `${base.replace(/\/+$/, "")}/v1/traces`);
  if (url === undefined || given.OTEL_SDK_DISABLED?.toLowerCase() === "true") return undefined;
  return {
    url,
    headers: readList("OTEL_EXPORTER_OTLP_HEADERS", given.OTEL_EXPORTER_OTLP_HEADERS),
    sampler: { name: given.OTEL_TRACES_SAMPLER, share: given.OTEL_TRACES_SAMPLER_ARG },
    serviceName: given.OTEL_SERVICE_NAME,
    attributes: readList("OTEL_RESOURCE_ATTRIBUTES", given.OTEL_RESOURCE_ATTRIBUTES),
  };
}

/** Says which entry is wrong by its place: the text can be a secret. */
function readList(variable: string, list = ""): Record<string, string> {
  const entries = list.split(",").filter((entry) => entry.trim() !== "");
  return Object.fromEntries(
    entries.map((entry, at) => {
      const [, name, value] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(entry) ?? [];
      const decoded = decode(value);
      if (name === undefined || decoded === undefined) throw wrongSetting(variable, `${LIST}; entry ${at + 1} is not`);
      return [name, decoded];
    }),
  );
}

function decode(value: string | undefined): string | undefined {
  try {
    return value === undefined ? undefined : decodeURIComponent(value);
  } catch {
    return undefined;
  }
}
