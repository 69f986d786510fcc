import { getAccessToken } from "@/auth.ts";
import { answerCall } from "@/session/answer-call.ts";

/** The browser's only way to the data. */
async function handle(request: Request, { params }: { params: Promise<{ trpc: string }> }): Promise<Response> {
  return answerCall(request, (await params).trpc, getAccessToken);
}

export { handle as GET, handle as POST };
