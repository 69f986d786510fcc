import { CLIENT_METADATA, CLIENT_OPTIONS, type ClientOptions, type OptionCheck, type OptionsOf } from "@gatehouse/auth";
import { z } from "zod";
import { line } from "../fields.ts";

type Table = Readonly<Record<string, OptionCheck>>;
type Typed<Value> = z.ZodType<Value, Value>;
type ShapeOf<T extends Table> = { [Name in keyof T]: z.ZodOptional<Typed<NonNullable<OptionsOf<T>[Name]>>> };

/** The members of a schema for these options, each of which can be left out. */
export function optionShape<T extends Table>(table: T): ShapeOf<T> {
  return Object.fromEntries(
    Object.entries(table).map(([name, check]) => [name, checked(check).optional()]),
  ) as ShapeOf<T>;
}

function checked(check: OptionCheck): z.ZodType {
  switch (check.kind) {
    case "flag":
      return z.boolean();
    case "integer":
      return check.least === undefined ? z.int() : z.int().min(check.least, `${check.least} or more seconds`);
    case "choice":
      return z.enum(check.values);
    case "list":
      return z.array(text(check.of).min(check.of.least ?? 0)).max(check.most);
    case "keys":
      return z.strictObject({ keys: z.array(z.looseObject({ kty: line.max(20) })).max(20) });
    case "text":
    case "line":
      return text(check);
  }
}

const text = ({ kind, most }: { kind: "text" | "line"; most: number }) =>
  (kind === "line" ? line : z.string()).max(most, `use at most ${most} characters`);

/** Optional settings of a client; the default applies to those left out. */
export const clientOptions = z
  .strictObject({ ...optionShape(CLIENT_OPTIONS), ...optionShape(CLIENT_METADATA) })
  .transform(
    (options): ClientOptions => Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)),
  );
