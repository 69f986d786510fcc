/** GET /healthz: reports that this process is up. It does not check the Gatehouse server. */
export function GET(): Response {
  return Response.json({ status: "ok" }, { headers: { "cache-control": "no-store" } });
}
