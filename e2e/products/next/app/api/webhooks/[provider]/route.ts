export function POST(): Response {
  return Response.json({ received: true });
}
