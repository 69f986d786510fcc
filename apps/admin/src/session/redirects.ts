import { env } from "@/env.ts";

/** A 303 redirect to a path of the console, on its configured origin. The `Host` header is never used. */
export function seeOther(path: string): Response {
  return new Response(null, {
    status: 303,
    headers: { location: env().adminUrl + path, "cache-control": "no-store" },
  });
}
