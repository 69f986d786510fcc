import { notFound } from "../../server/respond.tsx";
import { route } from "../../server/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/[...nowhere]", ({ request }) => notFound(request));
