import type { NextRequest } from "next/server";
import { auth, getAccessToken } from "@/auth.ts";
import { hrefOf } from "@/features/search/href.ts";
import { seeOther } from "@/session/redirects.ts";
import { bearerClient } from "@/trpc/bearer-client.ts";

/**
 * `/go/<id or email address>`: leads to what the text names. Without exactly one match, to the search, which shows the
 * matches or that there are none. CO-04.
 */
export const GET = auth.protect({}, async (request: NextRequest) => {
  const text = decodeURIComponent(request.nextUrl.pathname.slice("/go/".length)).trim();
  const search = `/search?q=${encodeURIComponent(text.slice(0, 300))}`;
  const [match, ...others] = await bearerClient(await getAccessToken())
    .lookup.find.query({ text })
    .catch(() => []); // the search page asks again, and shows the error
  return seeOther(match && others.length === 0 ? hrefOf(match) : search);
});
