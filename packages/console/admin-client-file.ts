import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { z } from "zod";
import { appRouter } from "./src/root.ts";
import { PROCEDURES } from "./src/testing/procedures.ts";

/** What is printed of a JSON Schema, as `z.toJSONSchema` makes it. */
type Schema = {
  type?: string | readonly string[];
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
  items?: Schema;
  prefixItems?: readonly Schema[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
};
type Declared = { _def: { type: "query" | "mutation"; inputs: readonly z.ZodType[]; output?: z.ZodType } };

const FILE = "packages/sdk/src/admin/procedures.ts";
const HEAD = `// Made by npm run generate from the procedures of the console that accept API tokens.

`;

/** The procedures of `createAdmin`: those that accept API tokens, with the types of what they take and return. PK-58. */
export function adminClientFile(): string {
  const declared = appRouter._def.procedures as unknown as Record<string, Declared>;
  const listed = PROCEDURES.filter(({ requirements }) => requirements.apiToken !== undefined)
    .map(({ path, type }) => ({ path, type, ...typesOf(declared[path]) }))
    .sort((one, other) => (one.path < other.path ? -1 : 1));
  const types = listed.map(
    ({ path, type, input, output }) => `"${path}": { kind: "${type}"; input: ${input}; output: ${output} };`,
  );
  const kinds = listed.map(({ path, type }) => `"${path}": "${type}",`);
  const text = `${HEAD}/** What each procedure takes and returns. */
export type Procedures = {\n${types.join("\n")}\n};

/** Queries read, mutations do everything else. */
export const KINDS: { readonly [Path in keyof Procedures]: Procedures[Path]["kind"] } = {\n${kinds.join("\n")}\n};
`;
  return formatted(text);
}

function typesOf(procedure: Declared | undefined): { input: string; output: string } {
  const { inputs = [], output } = procedure?._def ?? {};
  const options = { unrepresentable: "any" } as const;
  const taken = inputs.map((one) => print(z.toJSONSchema(one, { ...options, io: "input" }) as Schema));
  const isOptional = inputs.every((one) => one.safeParse(undefined).success);
  const input = taken.length === 0 ? "undefined" : `${taken.join(" & ")}${isOptional ? " | undefined" : ""}`;
  return { input, output: output ? print(z.toJSONSchema(output, { ...options, io: "output" }) as Schema) : "unknown" };
}

/** The TypeScript of a schema. */
function print(schema: Schema): string {
  const { type, enum: values, anyOf, oneOf = anyOf, allOf, items, prefixItems } = schema;
  if ("const" in schema) return JSON.stringify(schema.const);
  if (values) return values.map((value) => JSON.stringify(value)).join(" | ");
  if (oneOf) return [...new Set(oneOf.map(print))].join(" | ");
  if (allOf) return allOf.map((one) => `(${print(one)})`).join(" & ");
  if (typeof type === "object") return type.map((one) => print({ ...schema, type: one })).join(" | ");
  if (type === "integer" || type === "number") return "number";
  if (type === "string" || type === "boolean" || type === "null") return type;
  if (prefixItems) return `[${prefixItems.map(print).join(", ")}]`;
  if (type === "array") return `(${items ? print(items) : "unknown"})[]`;
  return type === "object" ? printObject(schema) : "unknown";
}

function printObject({ properties = {}, required = [], additionalProperties }: Schema): string {
  // JSON leaves out what is undefined, and so may do anything that is not described.
  const isThere = (name: string, schema: Schema) => required.includes(name) && print(schema) !== "unknown";
  const members = Object.entries(properties).map(([name, schema]) =>
    isThere(name, schema) ? `"${name}": ${print(schema)};` : `"${name}"?: (${print(schema)}) | undefined;`,
  );
  const others = typeof additionalProperties === "object" ? [`[name: string]: ${print(additionalProperties)};`] : [];
  return `{ ${[...members, ...others].join(" ")} }`;
}

function formatted(text: string): string {
  const root = join(import.meta.dirname, "../..");
  const biome = join(root, "node_modules/.bin/biome");
  return execFileSync(biome, ["format", `--stdin-file-path=${FILE}`], { cwd: root, input: text, encoding: "utf8" });
}
