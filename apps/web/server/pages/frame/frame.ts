import { type ActiveSession, describePendingRequest, localPath } from "@gatehouse/auth";
import type { Back, Frame } from "../../../views/frame.ts";
import type { App } from "../../start/app.ts";
import { brandFor, withBrand } from "./brand.ts";
import { consoleLink } from "./console-link.ts";
import { languageOf } from "./language.ts";

type Known = {
  request: Request;
  app: Pick<App, "deps" | "env" | "settings">;
  session?: ActiveSession | undefined;
  form?: URLSearchParams;
};

/** The frame of a page, for the pending request in its query or form. */
export function frameOf(known: Known): Frame {
  const back = backOf(known);
  const { app, session } = known;
  const consoleUrl = consoleLink(session, app.env.adminUrl);
  const brand = brandFor(app.settings.current.brand);
  return { ...languageOf(back.request, known), productName: app.settings.current.productName, back, consoleUrl, brand };
}

/** The same for a pending request that is in neither, but sealed in a ticket. */
function frameFor(sealedRequest: string | undefined, visit: Known & { frame: Frame }): Frame {
  return { ...visit.frame, ...languageOf(sealedRequest, visit) };
}

/** The frame of a page on the way to an app, with the app's branding. `sealedRequest`: as in {@link frameFor}. */
export async function brandedFrame(
  visit: Known & { frame: Frame },
  sealedRequest = visit.frame.back.request,
): Promise<Frame> {
  const frame = sealedRequest === visit.frame.back.request ? visit.frame : frameFor(sealedRequest, visit);
  const { deps } = visit.app;
  const pending = sealedRequest === undefined ? undefined : await describePendingRequest(sealedRequest, deps);
  return pending ? withBrand(frame, pending.clientId, deps) : frame;
}

function backOf({ request, form }: Known): Back {
  const { pathname, searchParams } = new URL(request.url);
  const fields = request.method === "POST" ? (form ?? new URLSearchParams()) : searchParams;
  const back = { request: fields.get("request") ?? undefined, next: localPath(fields.get("next")) };
  // Not by `delete`, which moves all that follow a parameter for each of its repeats.
  const rest = new URLSearchParams(
    [...searchParams].filter(([name]) => name !== "request" && name !== "next" && name !== "csrf"),
  );
  return { back: `${pathname}${rest.size > 0 ? `?${rest}` : ""}`, ...back };
}
