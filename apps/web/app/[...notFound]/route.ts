import { preflight } from "@gatehouse/auth";
import { notFound } from "../../server/pages/responses/errors.tsx";
import { route } from "../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/[...notFound]", (visit) => {
  // Clients look for metadata at several URLs in turn, and a page cannot see that one is missing if the preflight
  // fails. MD-01, BB-05.
  const looksForMetadata = visit.request.method === "OPTIONS" && visit.url.pathname.startsWith("/.well-known/");
  return looksForMetadata ? preflight("GET") : notFound(visit);
});
