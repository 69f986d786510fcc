import { isSameOrigin } from "@gatehouse/guard";
import { BodyError, readText } from "@gatehouse/runtime";
import { getAccessToken } from "@/auth.ts";
import { env } from "@/env.ts";
import { secondsToWait } from "@/session/rate-limit.ts";
import { sessionProblem } from "@/session/refused-call.ts";
import { bearerClient } from "@/trpc/bearer-client.ts";
import { messageOf, statusOf } from "@/trpc/errors.ts";
import type { ExportFormat } from "./formats.ts";

/** A ticket of 1,000 selected deliveries has 40 KB. CO-94. */
const MAX_BODY_BYTES = 256 * 1024;
/** An export counts as this many calls of the session. */
const CALLS_PER_EXPORT = 20;

type Page<Item> = { items: Item[]; nextCursor: string | null };
type Load<Item> = (cursor: string | null) => Promise<Page<Item>>;

type Export<Item> = {
  /** The start of the file's name. */
  name: string;
  /** The format that the form asks for; undefined for an unknown one. */
  formatOf: (asked: string | null) => ExportFormat<Item> | undefined;
  /** Returns the procedure that loads the pages. */
  pages: (client: ReturnType<typeof bearerClient>, ticket: string) => Load<Item>;
};

/**
 * Streams an export page by page: at any time this process holds one page. The form field `ticket` is the answer of the
 * procedure that starts the export, which checks who may export what and writes the audit row. CO-85.
 */
export async function exportResponse<Item>(
  request: Request,
  { name, formatOf, pages }: Export<Item>,
): Promise<Response> {
  if (!isSameOrigin(request, env().adminUrl)) return problem(403, "Only pages of the console can start an export.");
  let accessToken: string;
  try {
    accessToken = await getAccessToken(); // lasts for a minute; later pages are authorised by the ticket as well
  } catch (thrown) {
    const { error, message } = sessionProblem(thrown);
    return problem(error.status, message);
  }
  const wait = secondsToWait(accessToken, CALLS_PER_EXPORT);
  if (wait !== undefined)
    return problem(429, `This session has sent too many requests. Wait ${wait} s, then export again.`);
  const form = await readForm(request);
  if (form instanceof Response) return form;
  const ticket = form.get("ticket");
  if (ticket === null)
    return problem(400, "The form field `ticket` is missing. Start the export on its page of the console.");
  const format = formatOf(form.get("format"));
  if (format === undefined)
    return problem(400, "The form field `format` has an unknown value. Start the export on its page of the console.");

  const load = pages(bearerClient(accessToken), ticket);
  try {
    const first = await load(null); // before the headers, so that a refusal has a status of its own
    return new Response(streamOf(first, load, format), {
      headers: {
        "content-type": format.contentType,
        "content-disposition": `attachment; filename="${name}-${new Date().toISOString().slice(0, 19).replace(/[-:]/g, "")}.${format.extension}"`,
        "cache-control": "no-store",
      },
    });
  } catch (error) {
    return problem(statusOf(error) ?? 502, messageOf(error));
  }
}

async function readForm(request: Request): Promise<URLSearchParams | Response> {
  try {
    return new URLSearchParams(await readText(request, MAX_BODY_BYTES));
  } catch (error) {
    if (error instanceof BodyError)
      return problem(error.problem === "too_large" ? 413 : 400, "The form could not be read.");
    throw error;
  }
}

/** The next page is loaded when the receiver has taken this one; an error breaks the download off. */
function streamOf<Item>(
  first: Page<Item>,
  load: Load<Item>,
  { head, line }: ExportFormat<Item>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const chunks = chunksOf(first, load, head, line);
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        await chunks.return();
      },
    },
    { highWaterMark: 0 },
  );
}

/** A search can stop at a page without any items and continue from there. */
async function* chunksOf<Item>(
  first: Page<Item>,
  load: Load<Item>,
  head: string,
  line: (item: Item) => string,
): AsyncGenerator<string, void> {
  if (head !== "") yield head;
  for (let page = first; ; ) {
    if (page.items.length > 0) yield page.items.map(line).join("");
    if (page.nextCursor === null) return;
    page = await load(page.nextCursor);
  }
}

function problem(status: number, message: string): Response {
  return new Response(`${message}\n`, {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
  });
}
