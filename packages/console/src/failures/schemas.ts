import { REFUSAL_CAUSES, URI_DIFFERENCE_KINDS } from "@gatehouse/auth";
import { z } from "zod";
import { namedClient } from "../clients/named-client.ts";
import { at, line } from "../fields.ts";
import { REFUSAL_FILTERS } from "../lists/lists.ts";
import { filterInput } from "../paging.ts";

export const errorId = line.trim().min(1).max(64);
export const failureGroupKey = line.min(1).max(64);

const actor = z.enum(["client developer", "admin", "user", "operator", "nobody"]);

export const failureExportDraft = z.strictObject({ filter: filterInput(REFUSAL_FILTERS).default({}) });

export const refusalView = z.object({
  errorId: z.string(),
  at,
  endpoint: z.string(),
  error: z.string(),
  cause: z.enum(REFUSAL_CAUSES),
  /** What the cause means. */
  explanation: z.string(),
  /** What was wrong in this request. */
  message: z.string(),
  detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  /** Who can fix it, and how. */
  actor,
  howToFix: z.string(),
  /** The client that the request named; without an application if there is no such client. */
  client: namedClient,
  /** Whole for admins, for others its /24 or /48. */
  address: z.string().nullable(),
  groupKey: z.string().nullable(),
});

const state = z.enum(["open", "regressed", "muted", "resolved"]);

export const failureGroupView = z.object({
  key: z.string(),
  cause: z.enum(REFUSAL_CAUSES),
  endpoint: z.string(),
  /** In what way the requests differ from what was expected; empty if the cause says it all. */
  difference: z.string(),
  firstAt: at,
  lastAt: at,
  count: z.int(),
  mutedUntil: at.nullable(),
  resolvedAt: at.nullable(),
  regressedAt: at.nullable(),
  explanation: z.string(),
  howToFix: z.string(),
  actor,
  state,
  client: namedClient,
});

/** `trend`: refusals of each of the last 14 days, oldest first. */
export const listedFailureGroup = failureGroupView.extend({ trend: z.array(z.int()) });

/** A redirect URI beside those that are registered, by the matcher of `/authorize`. */
export const uriComparison = z.object({
  matched: z.string().nullable(),
  nearest: z.string().nullable(),
  differsAt: z.int(),
  differences: z.array(z.object({ kind: z.enum(URI_DIFFERENCE_KINDS), text: z.string() })),
});

export const refusalDetailView = refusalView.extend({
  /** The cause with what differs. */
  sentence: z.string(),
  facts: z.array(z.object({ label: z.string(), value: z.string() })),
  /** The sent redirect URI beside those that are registered now. */
  uri: z.object({ sent: z.string(), registered: z.array(z.string()), comparison: uriComparison }).nullable(),
  /** What the console can do about it: opens the client's editor with the value filled in, unsaved. */
  fix: z
    .discriminatedUnion("kind", [
      z.object({ kind: z.literal("add_redirect_uri"), value: z.string(), newHost: z.boolean() }),
      z.object({ kind: z.enum(["add_scope", "add_grant_type"]), value: z.string() }),
      z.object({ kind: z.enum(["enable_client", "add_secret"]) }),
    ])
    .nullable(),
  /** Whether the reader can run the client's real flow in the console. */
  canTry: z.boolean(),
  group: failureGroupView.nullable(),
});

export const failureDecision = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("open") }),
  z.strictObject({ kind: z.literal("resolved") }),
  /** In Unix seconds. */
  z.strictObject({ kind: z.literal("muted"), until: at }),
]);
