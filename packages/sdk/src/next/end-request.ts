import { redirect } from "next/navigation";
import type { Core } from "../core.ts";
import { isAhead, isNavigation } from "../refusal/caller.ts";
import { errorOf } from "../refusal/json.ts";
import type { Refusal } from "../refusal/refusal.ts";
import type { CurrentRequest } from "./current-request.ts";
import { pageSignInPath } from "./sign-in-path.ts";

/**
 * Ends the request of a page, a handler or an Action by the failure table, as far as Next lets a thrown error do so: it
 * can redirect, or answer with a status that Next has a page for. PK-38, PK-43, PK-44.
 */
export async function endRequest(core: Core, { request }: CurrentRequest, refusal: Refusal): Promise<never> {
  const { headers } = request;
  const isAction = headers.has("next-action");
  const mayRedirect = isAction || (request.method === "GET" && (isNavigation(request) || isAhead(headers)));
  if (mayRedirect && (refusal.reason === "signed_out" || refusal.reason === "sign_in_too_old"))
    return seeOther(await pageSignInPath(core, headers, refusal.reason === "sign_in_too_old" ? refusal : {}));
  const error = errorOf(refusal);
  if (isAction) throw error;
  throw withStatus(error, error.status);
}

/** 303, where `redirect` would answer a page with 307. RFC 9110 §15.4.4. */
function seeOther(path: string): never {
  try {
    return redirect(path);
  } catch (error) {
    if (isRecord(error) && typeof error["digest"] === "string")
      error["digest"] = error["digest"].replace(/;307;$/, ";303;");
    throw error;
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** Statuses that Next answers with for an error with this digest: a page renders `forbidden` or `unauthorized`. */
const STATUSES = [401, 403];

function withStatus<E extends Error>(error: E, status: number): E {
  return STATUSES.includes(status) ? Object.assign(error, { digest: `NEXT_HTTP_ERROR_FALLBACK;${status}` }) : error;
}
