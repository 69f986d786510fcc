import { z } from "zod";
import { boundedCount } from "../impact/schemas.ts";
import { SETTING_SECTIONS } from "./in-force.ts";
import { RETAINED_LOGS } from "./retention.ts";

const options = z.array(z.object({ value: z.string(), label: z.string() })).readonly();
const settingInput = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("text"), placeholder: z.string().optional(), maxLength: z.int().optional() }),
  z.object({ kind: z.literal("choice"), options }),
  z.object({ kind: z.literal("colour") }),
  z.object({ kind: z.literal("number"), min: z.int(), max: z.int(), unit: z.string() }),
  z.object({ kind: z.literal("names"), options }),
  z.object({ kind: z.literal("smtp_server") }),
]);

const settingView = z.object({
  variable: z.string(),
  section: z.enum(SETTING_SECTIONS),
  group: z.object({ title: z.string(), text: z.string() }),
  label: z.string(),
  about: z.string(),
  input: settingInput,
  empty: z.string().optional(),
  value: z.string(),
  default: z.string().nullable(),
  source: z.enum(["environment", "console", "default"]),
  changeable: z.boolean(),
});

export const settingsView = z.object({ settings: z.array(settingView), version: z.int() });

/** By the name of the variable, the value as the variable would have it; null for its default. */
export const settingsInput = z.strictObject({
  values: z.record(z.string().max(100), z.string().trim().min(1).max(2_000).nullable()),
  version: z.int().nonnegative(),
});

export const olderInput = z.strictObject({ log: z.enum(RETAINED_LOGS), days: z.int().min(1).max(3_650) });
/** `more`: only the first thousand were counted. */
export const olderView = boundedCount;
