import { customType } from "drizzle-orm/pg-core";

/** Binary data as a Buffer; drizzle has no column type for `bytea`. */
export const bytea = customType<{ data: Buffer }>({ dataType: () => "bytea" });
