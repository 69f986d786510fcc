import type { SettingWords } from "@gatehouse/console/settings/in-force";
import { z } from "zod";

/** One environment variable of an installation. `Part`: the part of the settings that `show` reads. */
export type Setting<Part> = {
  /** Checks and converts the variable's value. */
  value: z.ZodType;
  /**
   * Its row in docs/configuration.md, in Markdown, and its line in .env.example, if it has one. Undefined for a variable
   * that is not Gatehouse's.
   */
  docs?: {
    default: string;
    meaning: string;
    example?: string;
    /** The minor release that brought it, such as `1.2`; by default the first one. OP-10 */
    since?: string;
  };
  /** It is never printed, and `<name>_FILE` can name a file with it. OP-12 */
  secret?: true;
  /** Undefined: the console does not show it. */
  console?: SettingWords & {
    /** Admins can change it while the server runs. */
    changeable?: true;
    /** The value in force as the variable would have it, without passwords; empty if there is none. */
    show: (settings: Part) => string;
  };
};

/** Settings by the name of their variable. */
export type SettingsTable<Part> = Readonly<Record<string, Setting<Part>>>;

/** The shape of a schema for these variables. */
export function shapeOf<Table extends SettingsTable<never>>(
  table: Table,
): { [Name in keyof Table]: Table[Name]["value"] } {
  return Object.fromEntries(Object.entries(table).map(([name, { value }]) => [name, value])) as never;
}

/** A variable with a whole number within bounds, both included, and how the console asks for it. */
export function wholeNumber(unit: string, min: number, max: number) {
  const value = z.coerce.number(`must be a number of ${unit} from ${min} to ${max}`).int().min(min).max(max);
  return { value, input: { kind: "number", min, max, unit } } as const;
}

export const onOrOff = z.enum(["on", "off"], "must be on or off");

/** The choice between on and off, in the console. */
export const SWITCH = {
  kind: "choice",
  options: [
    { value: "on", label: "On" },
    { value: "off", label: "Off" },
  ],
} as const;

export const TEXT = { kind: "text" } as const;
