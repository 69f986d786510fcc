import type { Admin } from "@gatehouse/sdk/admin";
import { confirmed } from "../confirm.ts";
import { UsageError } from "../input.ts";
import { callServer, openAdmin } from "./admin-server.ts";
import type { RemoteFile } from "./remote-file.ts";

export type RemotePlan = Awaited<ReturnType<Admin["configuration"]["plan"]>>;
type Applied = Awaited<ReturnType<Admin["configuration"]["applyFile"]>>;

/** What an apply prints. `variables`: of the product of a client that was made, with its secret, once. */
export type Outcome = {
  changed: boolean;
  clients: { name: string; variables: Record<string, string> }[];
  secrets: { name: string; secret: string }[];
};

/** What applying a file to a running server would change. PK-22 */
export function planRemotely(issuer: string, { file, name, variables }: RemoteFile): Promise<RemotePlan> {
  const admin = openAdmin(issuer);
  return callServer(() => admin.configuration.plan({ file, name, variables }));
}

/** `approved`: the id of the plan to apply, or what asks about the present one. */
export type Approval = { plan: string } | { show: (plan: RemotePlan) => void; yes: boolean };

/**
 * Applies a file to a running server: shows the plan and asks, unless it is approved. Nothing is written if the server has
 * changed meanwhile. PK-22
 */
export async function applyRemotely(issuer: string, remote: RemoteFile, approval: Approval): Promise<Outcome> {
  const admin = openAdmin(issuer);
  const { file, name, variables } = remote;
  const planId = "plan" in approval ? approval.plan : await approvedPlan(issuer, remote, approval);
  if (planId === undefined) return { changed: false, clients: [], secrets: [] };
  const applied = await callServer(() => admin.configuration.applyFile({ file, name, variables, planId }));
  return outcomeOf(issuer, remote, applied);
}

/** The id of the plan, once somebody has agreed to it; undefined if there is nothing to do. */
async function approvedPlan(
  issuer: string,
  remote: RemoteFile,
  { show, yes }: Extract<Approval, { yes: boolean }>,
): Promise<string | undefined> {
  const plan = await planRemotely(issuer, remote);
  show(plan);
  const { locks, marks, releases } = plan.recording;
  if (plan.changes.every(({ action }) => action === "keep") && locks + marks + releases === 0) return undefined;
  if (!yes && !(await confirmed(`Apply this to ${issuer}? [y/N] `)))
    throw new UsageError([{ path: "", message: "not confirmed. Add --yes to apply without a question" }]);
  return plan.changesId;
}

function outcomeOf(issuer: string, { appUrls }: RemoteFile, { changed, secrets }: Applied): Outcome {
  const clients = secrets.flatMap(({ name, clientId, secret }) => {
    if (clientId === null) return [];
    const appUrl = appUrls.get(name);
    const variables = {
      GATEHOUSE_ISSUER: issuer,
      GATEHOUSE_CLIENT_ID: clientId,
      GATEHOUSE_CLIENT_SECRET: secret,
      ...(appUrl !== undefined && { GATEHOUSE_APP_URL: appUrl }),
    };
    return [{ name, variables }];
  });
  const others = secrets.filter(({ clientId }) => clientId === null);
  return { changed, clients, secrets: others.map(({ name, secret }) => ({ name, secret })) };
}
