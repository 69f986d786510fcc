import type { Environment } from "@gatehouse/auth";

/** A row of the audit log. */
export type NewAuditRow = {
  /** Time-ordered. */
  id: string;
  /** Unix seconds. */
  at: number;
  actorId: string;
  actorName: string;
  role: string;
  via: "console" | "cli" | "api" | "api_token" | "server";
  action: string;
  object: string;
  environment: Environment | null;
  detail: Record<string, unknown>;
  address: string | null;
  /** What the object is called. */
  objectName?: string | null;
  userAgent?: string | null;
  requestId?: string | null;
};
