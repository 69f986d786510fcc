import type { NextRequest } from "next/server";
import { hrefOf } from "@/features/search/href.ts";
import { readTokens } from "@/session/cookies.ts";
import { seeOther } from "@/session/redirects.ts";
import { bearerClient } from "@/trpc/bearer-client.ts";

/**
 * `/go/<id or email address>`: leads to what the text names. Without exactly one match, to the search, which shows the
 * matches or that there are none. CO-04.
 */
export async function GET(request: NextRequest): Promise<Response> {
  const text = decodeURIComponent(request.nextUrl.pathname.slice("/go/".length)).trim();
  const search = `/search?q=${encodeURIComponent(text.slice(0, 300))}`;
  const tokens = await readTokens(request.cookies);
  if (!tokens) return seeOther(`/auth/sign-in?return_to=${encodeURIComponent(request.nextUrl.pathname)}`);
  const [match, ...others] = await bearerClient(tokens.accessToken)
    .lookup.find.query({ text })
    .catch(() => []); // the search page asks again, and shows the error
  return seeOther(match && others.length === 0 ? hrefOf(match) : search);
}
