import { type Admin, AdminError, createAdmin } from "@gatehouse/sdk/admin";
import { variable } from "../env.ts";
import { InputError } from "../input.ts";

const TOKEN = "GATEHOUSE_API_TOKEN";

/** Of sysexits.h: the same call may succeed later, and settings that are missing or wrong. */
const [TRY_AGAIN, CONFIGURATION] = [75, 78];

/** A call to a running server that failed. The message never has the token. */
class RemoteError extends Error {
  override readonly name = "RemoteError";
  readonly exitCode: number;

  constructor(message: string, exitCode: number, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/**
 * The procedures of a running server, for the API token in `GATEHOUSE_API_TOKEN`: on a command line, others could read it.
 * Throws an Error with the exit code if there is none, or the issuer is no URL.
 */
export function openAdmin(issuer: string): Admin {
  const token = variable(TOKEN).trim();
  if (token === "") {
    const how = "Make a token in the console under Settings, API tokens, with the scopes config:plan and config:apply";
    throw new RemoteError(`${TOKEN} is not set. ${how}, and put it into this variable.`, CONFIGURATION);
  }
  try {
    return createAdmin({ issuer: issuer.replace(/\/+$/, ""), token });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const named = reason.replace("The option issuer", "--issuer").replace("The option token", TOKEN);
    throw new RemoteError(named, CONFIGURATION, { cause });
  }
}

/** Calls the server, and turns what it answers into an error for the terminal: what happened, what to do, and the exit code. */
export async function callServer<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    throw error instanceof AdminError ? readable(error) : error;
  }
}

function readable(error: AdminError): Error {
  const { code, status, message, problems, requestId } = error;
  const id = requestId === undefined ? "" : ` (request ${requestId})`;
  const as = (text: string, exitCode: number) => new RemoteError(`${text}${id}`, exitCode, { cause: error });
  if (status === 401)
    return as(`The server does not accept ${TOKEN}: it is unknown, has expired or was revoked.`, CONFIGURATION);
  if (code === "FORBIDDEN") return as(message, CONFIGURATION);
  if (problems.length > 0) return new InputError(problems);
  const mayWork = code === "UNREACHABLE" || code === "CONFLICT" || status === 429 || status === 503;
  return mayWork ? as(message, TRY_AGAIN) : as(message, 1);
}
