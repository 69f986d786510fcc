import { notFound } from "../../server/pages/respond.tsx";
import { route } from "../../server/routing/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/[...notFound]", (visit) => notFound(visit));
