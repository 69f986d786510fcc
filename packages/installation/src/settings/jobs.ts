import { z } from "zod";
import { type SettingsTable, shapeOf, wholeNumber } from "./setting.ts";

export type JobSettings = {
  /** How long a process may hold a job without a heartbeat before another one takes it. */
  jobLeaseSeconds: number;
  /** Where webhook handlers run, and how much memory their process may use. */
  handlers: { place: "process" | "inline"; memoryMb: number };
};

export const JOBS = {
  GATEHOUSE_JOB_LEASE_SECONDS: {
    value: wholeNumber("seconds", 3, 3_600).value.default(60),
    docs: {
      default: "`60`",
      meaning:
        "seconds after which the [jobs](operations.md#jobs) of a process that died run elsewhere; from 3 to 3600",
      example: "60",
    },
  },
  GATEHOUSE_HANDLERS: {
    value: z.enum(["process", "inline"], "must be process or inline").default("process"),
    docs: {
      default: "`process`",
      meaning:
        "where [webhook handlers](extend.md#what-a-handler-cannot-do) run. `inline`: in the server, which saves " +
        "about 120 MB; then their crash is the server's",
      example: "process",
    },
  },
  GATEHOUSE_HANDLERS_MB: {
    value: wholeNumber("megabytes", 256, 65_536).value.default(512),
    docs: {
      default: "`512`",
      meaning: "megabytes that the process of the handlers may use, from 256 to 65536; above, it is ended and replaced",
      example: "512",
    },
  },
} as const satisfies SettingsTable<never>;

export const jobVariables = shapeOf(JOBS);

export function jobSettings(given: z.output<z.ZodObject<typeof jobVariables>>): JobSettings {
  return {
    jobLeaseSeconds: given.GATEHOUSE_JOB_LEASE_SECONDS,
    handlers: { place: given.GATEHOUSE_HANDLERS, memoryMb: given.GATEHOUSE_HANDLERS_MB },
  };
}
