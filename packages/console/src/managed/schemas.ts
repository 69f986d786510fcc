import { z } from "zod";
import { at, environment, line } from "../fields.ts";
import { pagedInput } from "../paging.ts";
import { MANAGED_KINDS } from "./managed-view.ts";

const managedKind = z.enum(MANAGED_KINDS);

/** Which file manages an object; null if none does. CO-73. */
export const managedView = z
  .object({
    /** Its name, without folders. */
    file: z.string(),
    /** Only an apply of the file changes the object. */
    locked: z.boolean(),
    appliedAt: at,
    appliedBy: z.string(),
    /** Null unless somebody unlocked it since. */
    unlockedAt: at.nullable(),
    unlockedBy: z.string().nullable(),
  })
  .nullable();

/** `id`: of the object; the slug of a webhook endpoint. */
export const managedRef = z.strictObject({ kind: managedKind, id: line.min(1).max(500) });

/** The name of a file that is applied. */
export const fileName = line.trim().min(1).max(200, "use at most 200 characters");

export const driftInput = pagedInput({ cursor: line.max(600).optional() });

export const driftPage = z.object({
  drift: z.array(
    z.object({
      ...managedRef.shape,
      name: z.string(),
      environment: environment.nullable(),
      file: z.string(),
      /** By its name in the file; null if the whole object was removed. */
      field: z.string().nullable(),
      fileValue: z.unknown(),
      liveValue: z.unknown(),
      /** By the audit log; null if its rows are deleted. `number` is null until the row is sealed. */
      by: z.object({ name: z.string(), at, row: z.object({ id: z.string(), number: z.int().nullable() }) }).nullable(),
    }),
  ),
  /** Whether any file manages any object. */
  managed: z.boolean(),
  /** Where to search on; null at the end. */
  nextCursor: z.string().nullable(),
});
