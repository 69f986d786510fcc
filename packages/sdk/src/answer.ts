import type { Authorizer } from "./authorize.ts";
import { answerMetadata } from "./verify-token/metadata.ts";

/**
 * Answers a request for the metadata of the API, or for one of the handlers of sign-in; undefined for any other path. An
 * app that is no API has no metadata, and an API that signs nobody in has no handlers. PK-46, PK-51.
 */
export async function answerHandlers(
  request: Request,
  { core, tokens, roles }: Pick<Authorizer, "core" | "tokens" | "roles">,
): Promise<Response | undefined> {
  const { isApi, signsIn } = roles();
  const metadata = isApi ? answerMetadata(request, tokens.api().settings) : undefined;
  return metadata ?? (signsIn ? core.handle(request) : undefined);
}
