import { type Environment, isOutboundUrl } from "@gatehouse/auth";
import { isLoopbackUrl } from "@gatehouse/runtime/loopback";
import type { Forward } from "@gatehouse/webhooks";
import type { OperationDeps } from "../../deps.ts";
import type { Problem } from "../../domain-error.ts";

/** Where to forward an endpoint's events, as a person enters it. Without `events`, all of them. */
export type ForwardDraft = { url: string; events?: readonly string[] | null | undefined };

/** As it is stored. */
export function toForward({ url, events }: ForwardDraft): Forward {
  return { url: url.trim(), events: events == null ? null : [...new Set(events.map((type) => type.trim()))] };
}

type Place = { environment: Environment } & Pick<OperationDeps, "config">;

/** Every problem with where an endpoint of this environment is to forward its events. PK-56. */
export function forwardProblems({ url, events }: Forward, place: Place): Problem[] {
  const wrong = urlProblem(url, place);
  return [...(wrong === undefined ? [] : [{ path: "forward.url", message: wrong }]), ...eventProblems(events)];
}

function urlProblem(text: string, { environment, config: { issuer } }: Place): string | undefined {
  if (!URL.canParse(text)) return "must be a URL like https://app.example.com/webhooks";
  const url = new URL(text);
  if (url.username !== "" || url.password !== "")
    return "must not have a user name or password: every request is signed instead";
  if (url.hash !== "") return "must not have a fragment (#…)";
  // A loop would send its own events for ever.
  if (url.origin === new URL(issuer).origin)
    return "is this server itself. Handle the event here, or enter the product's URL";
  if (isLoopbackUrl(text)) return loopbackProblem(environment, issuer);
  return isOutboundUrl(text, { allowLoopback: false })
    ? undefined
    : "must be https. Only development can use http, on this machine";
}

/** Requests to this machine are for an installation on it, and for nothing but development. */
function loopbackProblem(environment: Environment, issuer: string): string | undefined {
  if (environment !== "development")
    return `is on this machine, which only endpoints of development can forward to; this one is of ${environment}`;
  if (!issuer.startsWith("http:"))
    return "is on the server's own machine. To receive events on yours, run `gatehouse tail --forward` there";
  return undefined;
}

function eventProblems(events: Forward["events"]): Problem[] {
  if (events === null) return [];
  if (events.length === 0)
    return [
      { path: "forward.events", message: "is empty, so nothing would be forwarded. Leave it out for all events" },
    ];
  return events.flatMap((type, at) => {
    const message = eventProblem(type);
    return message === undefined ? [] : [{ path: `forward.events.${at}`, message }];
  });
}

function eventProblem(type: string): string | undefined {
  if (type === "") return "is empty";
  if (type.slice(0, -1).includes("*")) return "can have a * at its end only, such as invoice.*";
  return undefined;
}
