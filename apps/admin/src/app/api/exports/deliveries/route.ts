import { BodyError, readText } from "@gatehouse/net";
import { type NextRequest, NextResponse } from "next/server";
import { env } from "@/env.ts";
import { readTokens, tokensCookie } from "@/session/cookies.ts";
import { isSameOrigin } from "@/session/same-origin.ts";
import { renew, type Tokens, unixNow } from "@/session/tokens.ts";
import { bearerClient } from "@/trpc/bearer-client.ts";
import { messageOf, statusOf } from "@/trpc/errors.ts";
import type { ExportPage } from "@/trpc/types.ts";

/** A ticket of 1,000 selected deliveries has 40 KB. CO-94. */
const MAX_BODY_BYTES = 256 * 1024;
/** A token cannot be renewed while the answer is being sent, so an export starts with one that lasts. */
const LASTS_SECONDS = 300;

/**
 * Streams an export as NDJSON, page by page: at any time this process holds one page. The form field `ticket` is the answer of
 * `deliveries.export`, which checks who may export what and writes the audit row. CO-85.
 */
export async function POST(request: NextRequest): Promise<Response> {
  if (!isSameOrigin(request, env().adminUrl)) return problem(403, "Only pages of the console can start an export.");
  const tokens = await readTokens(request.cookies);
  if (!tokens) return problem(401, "You are signed out. Sign in again, then export again.");
  const ticket = await readTicket(request);
  if (ticket instanceof Response) return ticket;

  const lasting = await lastingTokens(tokens);
  const { deliveries } = bearerClient(lasting.accessToken);
  const load = (cursor: string | null) => deliveries.exportPage.mutate({ ticket, cursor });
  try {
    const first = await load(null); // before the headers, so that a refusal has a status of its own
    const response = new NextResponse(lines(first, load), {
      headers: {
        "content-type": "application/x-ndjson; charset=utf-8",
        "content-disposition": `attachment; filename="deliveries-${new Date().toISOString().slice(0, 19).replace(/[-:]/g, "")}.ndjson"`,
        "cache-control": "no-store",
      },
    });
    if (lasting !== tokens) response.cookies.set(await tokensCookie(lasting));
    return response;
  } catch (error) {
    return problem(statusOf(error) ?? 502, messageOf(error));
  }
}

async function readTicket(request: Request): Promise<string | Response> {
  try {
    const ticket = new URLSearchParams(await readText(request, MAX_BODY_BYTES)).get("ticket");
    return ticket ?? problem(400, "The form field `ticket` is missing. Start the export on the page Deliveries.");
  } catch (error) {
    if (error instanceof BodyError) return problem(error.problem === "too_large" ? 413 : 400, "The form could not be read.");
    throw error;
  }
}

async function lastingTokens(tokens: Tokens): Promise<Tokens> {
  if (tokens.expiresAt - LASTS_SECONDS > unixNow()) return tokens;
  return (await renew(tokens).catch(() => undefined)) ?? tokens;
}

/** One JSON object per line. The next page is loaded when the receiver has taken this one; an error breaks the download off. */
function lines(first: ExportPage, load: (cursor: string) => Promise<ExportPage>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const pages = pagesFrom(first, load);
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await pages.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value.items.map((item) => `${JSON.stringify(item)}\n`).join("")));
      },
      async cancel() {
        await pages.return();
      },
    },
    { highWaterMark: 0 },
  );
}

/** The pages that have items: a search can stop at a page without any and continue from there. */
async function* pagesFrom(first: ExportPage, load: (cursor: string) => Promise<ExportPage>): AsyncGenerator<ExportPage, void> {
  for (let page = first; ; ) {
    if (page.items.length > 0) yield page;
    if (page.nextCursor === null) return;
    page = await load(page.nextCursor);
  }
}

function problem(status: number, message: string): Response {
  return new Response(`${message}\n`, { status, headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" } });
}
