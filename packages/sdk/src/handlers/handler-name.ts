import { normalisePath, pathOf } from "@gatehouse/guard/routes";
import { appUrlOf } from "../app-url.ts";
import type { Context } from "../context.ts";

/** What is below the path of the handlers, with or without the app's base path; undefined for any other path. */
export function handlerName(request: Request, { settings }: Pick<Context, "settings">): string | undefined {
  const path = normalisePath(pathOf(request.url));
  const { basePath } = appUrlOf(request, settings);
  const folders = [basePath + settings.path, settings.path].map((folder) => `${folder.toLowerCase()}/`);
  const folder = folders.find((one) => path?.startsWith(one));
  return folder && path?.slice(folder.length);
}
