import { z } from "zod";

/** Where a schema drops members that it does not know instead of refusing or keeping them. */
export function strippingPaths(schema: unknown, path = ""): string[] {
  if (schema instanceof z.ZodObject) {
    const here = schema.def.catchall === undefined ? [path || "."] : [];
    return [
      ...here,
      ...Object.entries(schema.shape).flatMap(([name, inner]) => strippingPaths(inner, `${path}.${name}`)),
    ];
  }
  if (schema instanceof z.ZodUnion)
    return schema.options.flatMap((option, at) => strippingPaths(option, `${path}|${at}`));
  if (schema instanceof z.ZodArray) return strippingPaths(schema.element, `${path}[]`);
  if (schema instanceof z.ZodRecord) return strippingPaths(schema.valueType, `${path}{}`);
  if (schema instanceof z.ZodTuple)
    return schema.def.items.flatMap((item, at) => strippingPaths(item, `${path}[${at}]`));
  if (schema instanceof z.ZodPipe) return [...strippingPaths(schema.in, path), ...strippingPaths(schema.out, path)];
  if (schema instanceof z.ZodIntersection)
    return [schema.def.left, schema.def.right].flatMap((side) => strippingPaths(side, path));
  if (isWrapper(schema)) return strippingPaths(schema.unwrap(), path);
  return [];
}

const isWrapper = (schema: unknown): schema is { unwrap(): unknown } =>
  typeof schema === "object" && schema !== null && !(schema instanceof z.ZodPromise) && "unwrap" in schema;
