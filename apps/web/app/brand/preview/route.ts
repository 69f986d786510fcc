import { openBrandingPreview } from "@gatehouse/console/branding/preview";
import { brandPreview } from "../../../server/pages/brand/preview.tsx";
import { notFound } from "../../../server/pages/responses/errors.tsx";
import { route } from "../../../server/routing/route.ts";

/**
 * A page of a sign-in with a branding that is not saved yet, in a frame of the console alone: at the top of a tab its
 * words would be the server's own. Browsers that do not say where a page goes get none. CO-68.
 */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/brand/preview", {
  GET: async (visit) => {
    if (visit.request.headers.get("sec-fetch-dest") !== "iframe") return notFound(visit);
    const shown = await openBrandingPreview(visit.url.searchParams.get("ticket") ?? "", visit.app.deps);
    return (shown && (await brandPreview(shown, visit))) ?? notFound(visit);
  },
});
