/** GET /healthz: the process answers. It says nothing about the server behind it. */
export function GET(): Response {
  return Response.json({ status: "ok" }, { headers: { "cache-control": "no-store" } });
}
