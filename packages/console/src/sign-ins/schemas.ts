import { SIGN_IN_CAUSES, SIGN_IN_OUTCOMES } from "@gatehouse/accounts/sign-in-causes";
import { ACR } from "@gatehouse/auth";
import { z } from "zod";
import { namedClient } from "../clients/named-client.ts";
import { at, line } from "../fields.ts";
import { SIGN_IN_FACTORS } from "../lists/lists.ts";

export const signInId = line.trim().min(1).max(64);

export const signInView = z.object({
  id: z.string(),
  at,
  outcome: z.enum(SIGN_IN_OUTCOMES),
  cause: z.enum(SIGN_IN_CAUSES).nullable(),
  /** What the cause means, and who can fix it; null for one that began a session. */
  meaning: z
    .object({
      explanation: z.string(),
      howToFix: z.string(),
      actor: z.enum(["user", "admin", "operator", "nobody"]),
    })
    .nullable(),
  factor: z.enum(SIGN_IN_FACTORS),
  level: z.enum(Object.values(ACR)).nullable(),
  user: z.object({ id: z.string(), name: z.string(), email: z.string() }).nullable(),
  /** What was typed as an address, if no account has it: for admins, for a day. */
  typedEmail: z.string().nullable(),
  /** The client on the way to which it was; without an application if there is no such client. */
  client: namedClient,
  /** Whole for admins, for others its /24 or /48. */
  address: z.string().nullable(),
  userAgent: z.string().nullable(),
  /** `provider`, `message`, `amr`; `errorId` is that of the failure ledger. */
  detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});
