import { getInstallationLogo } from "@gatehouse/console/branding/installation-logo";
import { notFound } from "../../../server/pages/responses/errors.tsx";
import { picture } from "../../../server/pages/responses/pictures.ts";
import { route } from "../../../server/routing/route.ts";

/** The logo of the installation. Its URL has a version. CO-68. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/brand/logo", {
  GET: async (visit) => {
    const logo = await getInstallationLogo(visit.app.deps);
    return logo ? picture(logo) : notFound(visit);
  },
});
