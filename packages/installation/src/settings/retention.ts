import type { InboxLimits } from "@gatehouse/db/stores/webhooks/inbox-retention";
import { z } from "zod";
import { type SettingsTable, shapeOf, wholeNumber } from "./setting.ts";

/** How long what is stored is kept. */
export type RetentionSettings = {
  /** What the webhook inbox keeps. */
  inbox: InboxLimits;
  /** For how many days rows of the audit log are kept. */
  auditDays: number;
  /** For how many days attempts to sign in are kept. */
  signInDays: number;
};

const INBOX = { title: "Webhook inbox", text: "Cleaned up every ten minutes." };
const SIGN_IN_LOG = { title: "Sign-ins", text: "Cleaned up every ten minutes." };
const AUDIT_LOG = { title: "Audit log", text: "Cleaned up once a day." };

const deliveryDays = wholeNumber("days", 1, 100);
const signInDays = wholeNumber("days", 1, 400);
const auditDays = wholeNumber("days", 30, 3_650);

export const RETENTION = {
  GATEHOUSE_DELIVERY_DAYS: {
    value: deliveryDays.value.default(30),
    docs: {
      default: "`30`",
      meaning:
        "for how many days the bodies of webhook deliveries are kept, 1 to 100 ([what is " +
        "kept](storage.md#what-the-webhook-inbox-keeps))",
      example: "30",
    },
    console: {
      section: "retention",
      group: INBOX,
      label: "Bodies of webhook deliveries",
      about: "How long what a provider sent can be looked at and run again. The record that it came stays longer.",
      input: deliveryDays.input,
      changeable: true,
      show: ({ inbox }) => String(inbox.bodyDays),
    },
  },
  GATEHOUSE_DELIVERY_MAX_MB: {
    value: z.coerce.number("must be a number of megabytes").int().min(10).default(10_000),
    docs: {
      default: "`10000`",
      meaning: "about how many megabytes the webhook inbox may take; above, the oldest bodies are deleted early",
      example: "10000",
    },
    console: {
      section: "retention",
      group: INBOX,
      label: "Size of the webhook inbox",
      about: "Above about this size, the oldest bodies are deleted early.",
      input: { kind: "number", min: 10, max: 10_000_000, unit: "MB" },
      changeable: true,
      show: ({ inbox }) => String(inbox.maxBytes / 1_000_000),
    },
  },
  GATEHOUSE_SIGN_IN_DAYS: {
    value: signInDays.value.default(90),
    docs: {
      default: "`90`",
      meaning: "for how many days attempts to sign in are kept, with their causes, 1 to 400",
      example: "90",
    },
    console: {
      section: "retention",
      group: SIGN_IN_LOG,
      label: "Sign-ins",
      about:
        "How long it can be looked up why somebody could, or could not, sign in. Of each user, at most fifty of each result.",
      input: signInDays.input,
      changeable: true,
      show: (settings) => String(settings.signInDays),
    },
  },
  GATEHOUSE_AUDIT_DAYS: {
    value: auditDays.value.default(400),
    docs: {
      default: "`400`",
      meaning: "for how many days rows of the [audit log](audit-log.md) are kept, 30 to 3650",
      example: "400",
    },
    console: {
      section: "retention",
      group: AUDIT_LOG,
      label: "Audit log",
      about: "How long its rows are kept. Deleting old ones leaves a checkpoint, so the rest still verifies.",
      input: auditDays.input,
      changeable: true,
      show: (settings) => String(settings.auditDays),
    },
  },
} as const satisfies SettingsTable<RetentionSettings>;

export const retentionVariables = shapeOf(RETENTION);

export function retentionSettings(given: z.output<z.ZodObject<typeof retentionVariables>>): RetentionSettings {
  return {
    auditDays: given.GATEHOUSE_AUDIT_DAYS,
    signInDays: given.GATEHOUSE_SIGN_IN_DAYS,
    inbox: { bodyDays: given.GATEHOUSE_DELIVERY_DAYS, maxBytes: given.GATEHOUSE_DELIVERY_MAX_MB * 1_000_000 },
  };
}
