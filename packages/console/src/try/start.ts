import { challengeOf, deviceAuthorization, pushedAuthorizationRequest, REQUEST_URI_PREFIX } from "@gatehouse/auth";
import type { OperationDeps } from "../deps.ts";
import type { Author } from "../permissions.ts";
import { mintProofKey } from "./proof.ts";
import { createRun, type OpenRun, sessionOf } from "./run.ts";
import { type RunTicket, sealRunTicket, type TryKind } from "./run-ticket.ts";
import type { Session } from "./session.ts";
import { afterTokens, clientCredentialsCall, type StepResult } from "./steps.ts";
import { send } from "./trace.ts";

export type StartInput = {
  clientId: string;
  kind: TryKind;
  scope?: string | undefined;
  resource?: string | undefined;
  secret?: string | undefined;
  reveal: boolean;
};

/** Starts a run and sends its first request. Throws as {@link createRun} does. CO-38. */
export async function startTry(
  { clientId, kind, scope, resource, secret, reveal }: StartInput,
  author: Author,
  deps: OperationDeps,
): Promise<StepResult & { expiresAt: number }> {
  const { run, client } = await createRun({ clientId, kind, reveal }, author, deps);
  const proofKey = client.options.dpopBound ? { proofKey: mintProofKey() } : {};
  const open: OpenRun = { run, client, ticket: { runId: run.id, kind, reveal, ...proofKey } };
  const session = sessionOf(open, secret, author, deps);
  const asked = { ...(scope && { scope }), ...(resource && { resource }) };
  const result = await START[kind](open.ticket, asked, session);
  return { ...result, expiresAt: run.expiresAt };
}

type Start = (ticket: RunTicket, asked: Record<string, string>, session: Session) => Promise<StepResult>;

const START: Record<TryKind, Start> = {
  code: pushRequest,
  device: requestDevice,
  service: async (ticket, asked, session) => {
    const answer = await send(clientCredentialsCall(asked), session);
    return afterTokens(ticket, [answer.trace], answer.json, session);
  },
};

async function pushRequest(ticket: RunTicket, asked: Record<string, string>, session: Session): Promise<StepResult> {
  const { deps, clientId } = session;
  const verifier = base64url(deps.random(32));
  const state = base64url(deps.random(32));
  const { trace, json } = await send(
    {
      title: "Push the authorization request",
      why: "The client sends its request straight to the server, so nobody can read or change it in the browser.",
      section: "RFC 9126 §2.1",
      endpoint: pushedAuthorizationRequest,
      path: "/par",
      form: {
        response_type: "code",
        redirect_uri: deps.config.consoleCallback ?? "",
        code_challenge: challengeOf(verifier),
        code_challenge_method: "S256",
        state,
        ...asked,
      },
      expected: [201],
    },
    session,
  );
  const requestUri = json["request_uri"];
  const accepted = typeof requestUri === "string" && requestUri.startsWith(REQUEST_URI_PREFIX);
  const query = new URLSearchParams({ client_id: clientId, request_uri: accepted ? requestUri : "" });
  return {
    ticket: sealRunTicket({ ...ticket, state, verifier }, deps),
    traces: [trace],
    next: accepted ? { kind: "sign_in", url: `${deps.config.issuer}/authorize?${query}`, state } : { kind: "none" },
    can: { refresh: false, check: false },
  };
}

async function requestDevice(ticket: RunTicket, asked: Record<string, string>, session: Session): Promise<StepResult> {
  const { trace, json } = await send(
    {
      title: "Request a device code",
      why: "A device without a browser gets a code that its user confirms elsewhere, and one that only the device knows.",
      section: "RFC 8628 §3.1",
      endpoint: deviceAuthorization,
      path: "/device_authorization",
      form: asked,
      expected: [200],
    },
    session,
  );
  const { device_code: deviceCode, user_code: userCode, verification_uri_complete: url, interval } = json;
  const accepted = typeof deviceCode === "string" && typeof userCode === "string" && typeof url === "string";
  return {
    ticket: sealRunTicket(accepted ? { ...ticket, deviceCode } : ticket, session.deps),
    traces: [trace],
    next: accepted ? { kind: "device", url, userCode, intervalSeconds: Number(interval) } : { kind: "none" },
    can: { refresh: false, check: false },
  };
}

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
