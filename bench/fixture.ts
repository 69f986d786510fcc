import { createHash } from "node:crypto";

/** Registered in every subject: one user and two confidential clients, so that all subjects get the same requests. */
export const SERVICE = { id: "bench-service", secret: "only-for-benchmarks-service-0123456789-0123456789" };
export const WEB = {
  id: "bench-web",
  secret: "only-for-benchmarks-web-0123456789-0123456789",
  redirectUri: "https://app.example/callback",
};
export const USER = { email: "ada@example.com", name: "Ada", password: "correct horse battery" };

export const API_SCOPE = "api:read";
export const WEB_SCOPE = "offline_access api:read";

export const VERIFIER = "a-verifier-that-all-benchmarked-codes-share-0123456789";
export const CHALLENGE = createHash("sha256").update(VERIFIER).digest("base64url");

export const STRIPE_SECRET = "whsec_only_for_benchmarks_0123456789";

/** Long enough that values inserted before a run outlive it. */
export const HOUR_SECONDS = 3600;

/** Sent by every client: HTTP Basic. */
export function basic({ id, secret }: { id: string; secret: string }): string {
  return `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;
}
