import { SUBJECTS, TOOK } from "./subjects/index.js";

/** Each subject has its own routes, so that all of them are measured in one process, in turn. */
export async function proxy(request, event) {
  const { guarded } = SUBJECTS[request.nextUrl.pathname.split("/").at(-1)];
  const began = performance.now();
  const response = await guarded(request, event);
  response.headers.set(TOOK, String(performance.now() - began));
  return response;
}

export const config = { matcher: "/proxied/:subject" };
