import { ERRORS } from "@gatehouse/auth";
import type { OperationDeps } from "../deps.ts";
import { listSpikingGroups, type SpikingGroup } from "../failures/group-queries.ts";
import { type Checked, found, managerOf } from "./checked.ts";

const HOUR = 3_600;
const DAY = 24 * HOUR;
const SPIKE = { times: 5, perHour: 20 };

/**
 * Groups of failures that are five times as frequent as in the week before, from 20 an hour on. By group and not by
 * cause, so that many refusals of one client are found beside the usual ones of all others. CO-09.
 */
export async function failureSpikes(
  most: number,
  { reads, now }: Pick<OperationDeps, "reads" | "now">,
): Promise<Checked[]> {
  const at = now();
  const from = at - (at % HOUR) - HOUR;
  const hours = (at - from) / HOUR;
  const groups = await listSpikingGroups(reads, {
    now: at,
    from,
    before: from - 7 * DAY,
    limit: most,
    least: Math.ceil(SPIKE.perHour * hours),
    times: SPIKE.times,
  });
  return groups.map((group) => {
    const usual = group.earlier / (7 * 24);
    const rate = usual < 1 ? "usually hardly any" : `usually ${Math.round(usual)}`;
    const sentence = `${ERRORS[group.cause].when} That refuses ${Math.round(group.recent / hours)} requests of ${nameOf(group)} an hour, ${rate}.`;
    return found("warning", sentence, {
      // Developers decide about groups of unknown clients too.
      who: managerOf(group.environment ?? "development"),
      fix: { page: "failures", cause: group.cause, group: group.key },
      object: group.key,
    });
  });
}

function nameOf({ applicationName, clientName, environment }: SpikingGroup): string {
  return applicationName === null ? "unknown clients" : `${applicationName} · ${clientName} (${environment})`;
}
