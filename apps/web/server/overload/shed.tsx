/** @jsxImportSource preact */
import { CORS } from "@gatehouse/auth";
import { overloaded } from "@gatehouse/console/handler";
import { retryAfterSeconds } from "@gatehouse/db/errors/unavailable";
import { metrics } from "@gatehouse/runtime/metrics";
import type { Frame } from "../../views/frame.ts";
import { MessagePage } from "../../views/message.tsx";
import { brandFor } from "../pages/frame/brand.ts";
import { languageOf } from "../pages/frame/language.ts";
import { headersOfPage, htmlOf } from "../pages/responses/respond.ts";
import type { App } from "../start/app.ts";
import { load, shedReasonOf } from "./load.ts";
import { type Rank, rankOf } from "./order.ts";

const DESCRIPTION = "The server is overloaded. Try again in a few seconds.";

/**
 * 503 with `Retry-After`, in the format of the path, if the process has too much to do to serve it; undefined if it
 * does. Reads nothing and writes nothing, so that it costs little. OP-31
 */
export function shed(pathname: string, request: Request, app: ServedApp): Response | undefined {
  const rank = rankOf(pathname);
  const reason = shedReasonOf(rank);
  if (reason === undefined) return undefined;
  load.shed += 1;
  metrics.shed.series(reason).add(1);
  const response = answer(rank, pathname, request, app);
  response.headers.set("Retry-After", String(retryAfterSeconds()));
  return response;
}

type ServedApp = Pick<App, "deps" | "settings">;
type Settings = App["settings"]["current"];

function answer(rank: Rank, pathname: string, request: Request, app: ServedApp): Response {
  if (rank === "pages" && request.headers.get("accept")?.includes("text/html")) return busyPage(request, app);
  if (pathname.startsWith("/trpc/")) return overloaded(DESCRIPTION);
  return new Response(BODY, { status: 503, headers: rank === "webhooks" ? JSON_HEADERS : CORS_HEADERS });
}

const BODY = JSON.stringify({ error: "temporarily_unavailable", error_description: DESCRIPTION });
const JSON_HEADERS = { "Content-Type": "application/json", "Cache-Control": "no-store" };
const CORS_HEADERS = { ...JSON_HEADERS, ...CORS };

type Rendered = { body: Uint8Array<ArrayBuffer>; headers: Record<string, string> };
/** The page in each language, with these settings: rendering it takes about as long as the page that it refuses. */
let rendered: { of: unknown; pages: Map<string, Rendered> } = { of: undefined, pages: new Map() };

function busyPage(request: Request, app: ServedApp): Response {
  const settings = app.settings.current;
  if (rendered.of !== settings) rendered = { of: settings, pages: new Map() };
  const language = languageOf(undefined, { request, app });
  const known = rendered.pages.get(language.locale) ?? renderBusy(language, settings);
  rendered.pages.set(language.locale, known);
  return new Response(known.body, { status: 503, headers: known.headers });
}

function renderBusy(language: Pick<Frame, "locale" | "texts">, { productName, brand }: Settings): Rendered {
  const frame: Frame = {
    ...language,
    productName,
    brand: brandFor(brand),
    back: { back: "/", request: undefined, next: undefined },
  };
  const { busy, busyText } = frame.texts.errors;
  const html = htmlOf(
    <MessagePage frame={frame} title={busy}>
      {busyText}
    </MessagePage>,
  );
  return { body: new TextEncoder().encode(html), headers: headersOfPage(html) };
}
