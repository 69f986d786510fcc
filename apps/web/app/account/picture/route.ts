import { readPicture } from "@gatehouse/accounts";
import type { ActiveSession } from "@gatehouse/auth";
import { getPicture, setPicture, unsetPicture } from "@gatehouse/operations";
import { accountFrame, sourceOf } from "../../../server/pages/account-frame.ts";
import { notFound, page, picture, seeOther } from "../../../server/pages/respond.tsx";
import { route, type Visit } from "../../../server/routing/route.ts";
import { ProfilePage } from "../../../views/account/profile.tsx";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route("/account/picture", { GET: show, POST: upload });

async function show(visit: Visit<ActiveSession>): Promise<Response> {
  const stored = await getPicture(visit.session.user.id, visit.app.deps);
  return stored ? picture(stored, "private") : notFound(visit);
}

async function upload(visit: Visit<ActiveSession>): Promise<Response> {
  const { form, files, session, app, texts } = visit;
  const of = { userId: session.user.id, source: sourceOf(visit) };
  if (form.get("action") === "remove") {
    await unsetPicture(of, app.deps);
    return seeOther("/account?notice=picture_removed");
  }
  const read = readPicture(files.get("picture") ?? new Uint8Array());
  if (typeof read !== "string") {
    await setPicture(read, of, app.deps);
    return seeOther("/account?notice=picture_saved");
  }
  const problem = read === "too_large" ? texts.account.pictureTooLarge : texts.account.pictureInvalid;
  return page(ProfilePage({ ...(await accountFrame(visit)), problem, field: "picture" }), { status: 400 });
}
