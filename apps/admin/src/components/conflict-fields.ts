import { visibleText } from "./code/visible-text.ts";

/** Where a compared value is: a field, or a member of a field that is a record, as `options`. */
export type FieldPath = readonly [field: string, member?: string];

/** The values of a form as it was read, as it is now, and as somebody else saved them. */
type Sides = { base: object; mine: object; theirs: object };

/** A path as labels have it: `options.dpop`. */
export const nameOf = (path: FieldPath): string => path.join(".");

export function valueAt(values: object, [field, member]: FieldPath): unknown {
  const value: unknown = Reflect.get(values, field);
  return member === undefined ? value : isRecord(value) ? value[member] : undefined;
}

/** The values with others at these paths. A member without a value is left out of its record. */
export function withValues<Values extends object>(
  values: Values,
  changes: readonly (readonly [FieldPath, unknown])[],
): Values {
  const changed: Record<string, unknown> = {};
  for (const [[field, member], value] of changes) {
    if (member === undefined) changed[field] = value;
    else {
      const record = changed[field] ?? Reflect.get(values, field);
      const { [member]: _, ...rest } = isRecord(record) ? record : {};
      changed[field] = value === undefined ? rest : { ...rest, [member]: value };
    }
  }
  return { ...values, ...changed };
}

/**
 * Where `mine` and `theirs` differ. A field that is a record on every side is compared member by member, so that two
 * people can change different options of a client. CO-45.
 */
export function differing({ base, mine, theirs }: Sides): FieldPath[] {
  return Object.keys(mine)
    .flatMap((field): FieldPath[] => {
      const sides = [base, mine, theirs].map((values): unknown => Reflect.get(values, field));
      if (!sides.every(isRecord)) return [[field]];
      return [...new Set(sides.flatMap((side) => Object.keys(side)))].map((member) => [field, member]);
    })
    .filter((path) => !same(valueAt(mine, path), valueAt(theirs, path)));
}

/** Whether two values are equal; without a value is equal to null. */
export const same = (a: unknown, b: unknown): boolean => canonical(a) === canonical(b);

/** The same text for the same value, whatever the order of its keys. */
const canonical = (value: unknown): string =>
  JSON.stringify(value ?? null, (_, part: unknown) =>
    isRecord(part) ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1))) : part,
  );

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A compared value as users read it; `name` says in which unit a number is. */
export function textOf(value: unknown, name: string): string {
  if (value === null || value === undefined || value === "") return "(empty)";
  if (typeof value === "boolean") return value ? "on" : "off";
  if (typeof value === "number" && name.endsWith("Seconds")) return `${value} s`;
  if (Array.isArray(value)) return value.length === 0 ? "(none)" : value.map((one) => textOf(one, name)).join("\n");
  return visibleText(typeof value === "string" ? withoutPassword(value) : JSON.stringify(value, null, 2));
}

/** A URL without the password in it, such as that of an SMTP server. */
const withoutPassword = (text: string) => text.replace(/^([a-z]+:\/\/[^:@/\s]*):[^@/\s]*@/, "$1@");
