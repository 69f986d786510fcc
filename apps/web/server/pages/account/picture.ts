import type { ActiveSession } from "@gatehouse/auth";
import { getPicture, setPicture, unsetPicture } from "@gatehouse/console/users/profile";
import { ProfilePage } from "../../../views/account/profile.tsx";
import type { Visit } from "../../routing/visit.ts";
import { notFound } from "../responses/errors.tsx";
import { ownPicture } from "../responses/pictures.ts";
import { page, seeOther } from "../responses/respond.ts";
import { accountFrame } from "./frame.ts";
import { sourceOf } from "./request.ts";

/** The user's own picture. RG-09. */
export async function showPicture(visit: Visit<ActiveSession>): Promise<Response> {
  const stored = await getPicture(visit.session.user.id, visit.app.deps);
  return stored ? ownPicture(stored, visit.request) : notFound(visit);
}

/** Saves or removes the picture. RG-09. */
export async function submitPicture(visit: Visit<ActiveSession>): Promise<Response> {
  const { form, files, session, app, texts } = visit;
  const of = { userId: session.user.id, source: sourceOf(visit) };
  if (form.get("action") === "remove") {
    await unsetPicture(of, app.deps);
    return seeOther("/account?notice=picture_removed");
  }
  const problem = await setPicture(files.get("picture") ?? new Uint8Array(), of, app.deps);
  if (problem === undefined) return seeOther("/account?notice=picture_saved");
  const { pictureTooLarge, picturePixels, pictureInvalid, pictureBusy } = texts.account;
  const words = {
    too_large: pictureTooLarge,
    too_many_pixels: picturePixels,
    other_file: pictureInvalid,
    damaged: pictureInvalid,
    busy: pictureBusy,
  }[problem];
  const status = problem === "busy" ? 503 : 400;
  return page(ProfilePage({ ...(await accountFrame(visit)), problem: words, field: "picture" }), { status });
}
