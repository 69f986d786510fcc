import { page } from "../../server/pages/responses/respond.ts";
import { route } from "../../server/routing/route.ts";
import { RefusedPage } from "../../views/message.tsx";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/refused", {
  GET: ({ url, frame }) => {
    const errorId = url.searchParams.get("error_id") ?? "";
    return page(RefusedPage({ frame, errorId: /^[0-9A-Z]{10}$/.test(errorId) ? errorId : undefined }), { status: 400 });
  },
});
