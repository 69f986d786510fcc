import { describe, failed, headerOf, type Verdict } from "./check.ts";
import type { Reply, Response } from "./request.ts";

/**
 * Explains a reply that Gatehouse's receiver never gives, so that something in front of it must have. Undefined if the
 * receiver may have answered.
 */
export function interferenceOf(reply: Reply): Verdict | undefined {
  const seen = describe(reply);
  if (reply.kind === "failed") return noAnswer(reply.problem, seen);
  const { status } = reply.response;
  if (status >= 300 && status < 400) return redirect(reply.response, seen);
  if (status === 401 || status === 407)
    return failed(
      seen,
      "Something asked for a sign-in, which a provider cannot do.",
      "Exempt /api/webhooks from the guard, the password protection or the access proxy in front of Gatehouse.",
    );
  if (status === 403)
    return failed(
      seen,
      "A firewall or bot filter rejected the request before Gatehouse saw it.",
      "Allow POST to /api/webhooks in the firewall, the bot protection or the preview protection of your platform.",
    );
  if (status === 404 && !isGatehouse(reply.response))
    return failed(
      seen,
      "The path does not reach Gatehouse.",
      "Route /api/webhooks of this host to Gatehouse, with the path unchanged.",
    );
  if (status === 410)
    return failed(
      seen,
      "410 makes providers disable the endpoint.",
      "Find what answers 410 in front of Gatehouse, and remove it.",
    );
  if (status === 502 || status === 504)
    return failed(
      seen,
      "The proxy got no answer from Gatehouse.",
      "Check that Gatehouse runs, and the address and port that the proxy forwards to.",
    );
  if (isHtml(reply.response))
    return failed(
      seen,
      "A web page came back where JSON was expected.",
      "Route /api/webhooks of this host to Gatehouse, not to the website.",
    );
  return undefined;
}

function noAnswer(problem: "refused" | "timeout" | "tls" | "reset", seen: string): Verdict {
  switch (problem) {
    case "tls":
      return failed(
        seen,
        "The TLS certificate is not valid, and providers do not deliver to an invalid one.",
        "Install a certificate of a public authority, with its intermediate certificates.",
      );
    case "timeout":
      return failed(
        seen,
        "The server did not answer within ten seconds; some providers wait only five.",
        "Check that the address is reachable from the internet and that no proxy waits for the body.",
      );
    case "reset":
      return failed(
        seen,
        "The connection was closed without an answer.",
        "Check the proxy's log: it may limit the size of bodies or drop unknown senders.",
      );
    default:
      return failed(
        seen,
        "Nothing accepts connections at this address.",
        "Check the host name, the port, and that the server runs.",
      );
  }
}

function redirect({ status, headers }: Response, seen: string): Verdict {
  const location = String(headers["location"] ?? "");
  const why = `Providers do not follow redirects, so each delivery is lost with a ${status}.`;
  if (/sign-?in|log-?in|auth/i.test(location)) {
    return failed(
      seen,
      `${why} This one leads to a sign-in page.`,
      "Exempt /api/webhooks from the guard in front of Gatehouse.",
    );
  }
  if (location.startsWith("https:"))
    return failed(seen, why, `Enter the address that it leads to at the provider: ${location.slice(0, 200)}`);
  return failed(
    seen,
    why,
    "Turn off redirects for /api/webhooks: trailing slashes, www and language prefixes are the usual causes.",
  );
}

/** The receiver names itself in every response. */
function isGatehouse(response: Response): boolean {
  return headerOf(response, "gatehouse-delivery-id") !== undefined || /"reason":"[a-z_]+"/.test(response.text);
}

function isHtml(response: Response): boolean {
  return headerOf(response, "content-type")?.includes("text/html") ?? false;
}
