import { getPublicPicture } from "@gatehouse/console/users/profile";
import { notFound } from "../../../server/pages/responses/errors.tsx";
import { publicPicture } from "../../../server/pages/responses/pictures.ts";
import { route } from "../../../server/routing/route.ts";

/** A user's picture, for who was told its URL: the claim `picture`. OpenID Connect Core §5.1; OI-05. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/picture/[id]", {
  GET: async (visit) => {
    const found = await getPublicPicture(String(visit.params["id"]), visit.app.deps);
    return found ? publicPicture(found) : notFound(visit);
  },
});
