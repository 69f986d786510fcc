import { auth } from "../../../auth.ts";

/** A handler that could not be wrapped. */
export async function GET(): Promise<Response> {
  const { user } = await auth.protect();
  return Response.json({ email: user.email });
}
