import type { LookupMatch } from "@/trpc/types.ts";

/** The page of what a lookup found. CO-01. */
export function hrefOf(match: LookupMatch): string {
  const id = encodeURIComponent(match.id);
  switch (match.kind) {
    case "client": {
      const query = new URLSearchParams({ client: match.clientName, environment: match.environment });
      return `/applications/${encodeURIComponent(match.applicationId)}?${query}`;
    }
    case "application":
      return `/applications/${id}`;
    case "self_registered":
      return `/self-registered/${id}`;
    case "failure":
      return `/failures/${id}`;
    case "sign_in":
      return `/sign-ins/${id}`;
    case "delivery":
      return `/deliveries/${id}`;
    case "event":
      return `/deliveries?eventId=${id}&environment=all`;
    case "user":
      return `/users/${id}`;
    case "audit":
      return `/audit/${id}`;
    case "key":
      return `/keys?kid=${id}`;
  }
}
