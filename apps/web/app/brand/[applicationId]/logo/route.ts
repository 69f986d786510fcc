import { getLogo } from "@gatehouse/console/branding/branding";
import { notFound } from "../../../../server/pages/responses/errors.tsx";
import { picture } from "../../../../server/pages/responses/pictures.ts";
import { route } from "../../../../server/routing/route.ts";

/** The logo of an application. Its URL has a version. BD-01. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/brand/[applicationId]/logo", {
  GET: async (visit) => {
    const logo = await getLogo(String(visit.params["applicationId"]), visit.app.deps);
    return logo ? picture(logo) : notFound(visit);
  },
});
