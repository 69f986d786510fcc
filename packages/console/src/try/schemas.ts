import { REFUSAL_CAUSES } from "@gatehouse/auth";
import { z } from "zod";
import { at, clientId, line } from "../fields.ts";
import { TRY_KINDS } from "./run-ticket.ts";

const ticket = z.string().min(1).max(32_768);
/** Passes through to the request, and is not kept. CO-40. */
const secret = line.min(1).max(512).optional();
const parameter = line.max(4096).optional();

export const tryStart = z.strictObject({
  clientId,
  kind: z.enum(TRY_KINDS),
  /** Space-separated; the client's default when left out. */
  scope: line.trim().max(2000).optional(),
  resource: line.trim().max(2000).optional(),
  secret,
  /** Shows codes and tokens whole; refused in production. */
  reveal: z.boolean().default(false),
});

export const tryStep = z.strictObject({
  ticket,
  secret,
  step: z.discriminatedUnion("kind", [
    z.strictObject({
      kind: z.literal("exchange"),
      callback: z.strictObject({
        code: parameter,
        state: parameter,
        iss: parameter,
        error: parameter,
        error_description: parameter,
      }),
    }),
    z.strictObject({ kind: z.enum(["poll", "refresh"]) }),
  ]),
});

export const tryCheck = z.strictObject({ ticket, secret });
export const tryEnd = z.strictObject({ ticket });

const header = z.tuple([z.string(), z.string()]);

export const tryTrace = z.object({
  title: z.string(),
  request: z.object({ method: z.string(), url: z.string(), headers: z.array(header), body: z.string() }),
  response: z.object({ status: z.int(), headers: z.array(header), body: z.string() }),
  ms: z.number().nullable(),
  why: z.string(),
  section: z.string(),
  outcome: z.enum(["as_expected", "unexpected"]),
  curl: z.string(),
  tokens: z.array(
    z.object({
      name: z.string(),
      header: z.record(z.string(), z.unknown()),
      claims: z.record(z.string(), z.unknown()),
    }),
  ),
  failure: z
    .object({ errorId: z.string(), cause: z.enum(REFUSAL_CAUSES), sentence: z.string(), howToFix: z.string() })
    .nullable(),
});

export const tryResult = z.object({
  ticket: z.string(),
  traces: z.array(tryTrace),
  next: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("sign_in"), url: z.string(), state: z.string() }),
    z.object({ kind: z.literal("device"), url: z.string(), userCode: z.string(), intervalSeconds: z.number() }),
    z.object({ kind: z.enum(["wait", "none"]) }),
  ]),
  can: z.object({ refresh: z.boolean(), check: z.boolean() }),
});

export const tryStarted = tryResult.extend({ expiresAt: at });
