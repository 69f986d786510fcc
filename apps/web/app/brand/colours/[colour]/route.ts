import { brandStylesheet } from "@gatehouse/ui/brand";
import { notFound } from "../../../../server/pages/responses/errors.tsx";
import { route } from "../../../../server/routing/route.ts";

const HEADERS = { "Content-Type": "text/css; charset=utf-8", "Cache-Control": "public, max-age=86400" };

/** A colour (`4f46e5`) as a stylesheet: pages allow no inline styles. BD-01. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/brand/colours/[colour]", {
  GET: (visit) => {
    const colour = String(visit.params["colour"]);
    if (!/^[0-9a-f]{6}$/.test(colour)) return notFound(visit);
    return new Response(brandStylesheet(`#${colour}`), { headers: HEADERS });
  },
});
