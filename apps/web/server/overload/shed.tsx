/** @jsxImportSource preact */
import { CORS } from "@gatehouse/auth";
import { overloaded } from "@gatehouse/console/handler";
import { retryAfterSeconds } from "@gatehouse/db/errors/unavailable";
import { metrics } from "@gatehouse/runtime/metrics";
import { MessagePage } from "../../views/message.tsx";
import { frameOf } from "../pages/frame/frame.ts";
import { json, page } from "../pages/responses/respond.ts";
import type { App } from "../start/app.ts";
import { shedReasonOf } from "./load.ts";
import { type Rank, rankOf } from "./order.ts";

const DESCRIPTION = "The server is overloaded. Try again in a few seconds.";

/**
 * 503 with `Retry-After`, in the format of the path, if the process has too much to do to serve it; undefined if it
 * does. Reads nothing and writes nothing, so that it costs little. OP-31
 */
export function shed(
  pathname: string,
  request: Request,
  app: Pick<App, "deps" | "env" | "settings">,
): Response | undefined {
  const rank = rankOf(pathname);
  const reason = shedReasonOf(rank);
  if (reason === undefined) return undefined;
  metrics.shed.series(reason).add(1);
  const headers = { "Retry-After": String(retryAfterSeconds()) };
  const response = answer(rank, pathname, request, app);
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

function answer(rank: Rank, pathname: string, request: Request, app: Pick<App, "deps" | "env" | "settings">): Response {
  if (rank === "pages" && request.headers.get("accept")?.includes("text/html")) {
    const frame = frameOf({ request, app });
    const { busy, busyText } = frame.texts.errors;
    return page(
      <MessagePage frame={frame} title={busy}>
        {busyText}
      </MessagePage>,
      { status: 503 },
    );
  }
  if (pathname.startsWith("/trpc/")) return overloaded(DESCRIPTION);
  const headers = rank === "webhooks" ? {} : CORS;
  return json({ error: "temporarily_unavailable", error_description: DESCRIPTION }, { status: 503, headers });
}
