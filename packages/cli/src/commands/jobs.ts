import { dropJob, type JobView, listJobs, retryJob } from "@gatehouse/console/jobs/jobs";
import { jobId, jobList } from "@gatehouse/console/jobs/schemas";
import { Command } from "commander";
import { z } from "zod";
import { settings } from "../env.ts";
import { parseInput } from "../input.ts";
import { withInstallation } from "../installation.ts";
import { operator } from "../operator.ts";
import { isoTime, print } from "../output.ts";
import { takesId } from "./takes-id.ts";

const FROM_LIST = "id of the job, from `jobs list`";

/** `gatehouse jobs list | retry | drop`. */
export function jobsCommand(): Command {
  const command = new Command("jobs").description(
    "Manage work that the server does later: webhook handlers, logout notices",
  );

  command
    .command("list")
    .description("List the jobs that are due, wait or run; with --dead, those that failed for the last time")
    .option("--dead", "list dead jobs, newest first; they are kept for seven days")
    .option("--queue <queue>", "list only this queue's jobs, for example logout_notice")
    .option("--limit <number>", "maximum number of jobs to list", "100")
    .action(async ({ dead, queue, limit }: { dead?: boolean; queue?: string; limit: string }) => {
      const query = parseInput(
        jobList,
        { state: dead ? "dead" : "pending", queue, limit: Number(limit) },
        (field) => `--${field}`,
      );
      print((await withInstallation(settings(), (deps) => listJobs(query, deps))).map(viewOf));
    });

  takesId(
    command.command("retry").description("Run a waiting or dead job now, with all its attempts"),
    FROM_LIST,
  ).action(async (given: string) => {
    const { id } = parseInput(z.object({ id: jobId }), { id: given });
    await withInstallation(settings(), (deps) => retryJob(id, operator(), deps));
    print({ retried: id });
  });

  takesId(command.command("drop").description("Delete a job without running it"), FROM_LIST).action(
    async (given: string) => {
      const { id } = parseInput(z.object({ id: jobId }), { id: given });
      await withInstallation(settings(), (deps) => dropJob(id, operator(), deps));
      print({ dropped: id });
    },
  );

  return command;
}

function viewOf({ orderKey, runAt, lastError, deadAt, createdAt, ...rest }: JobView) {
  return {
    ...rest,
    order_key: orderKey,
    run_at: isoTime(runAt),
    last_error: lastError,
    dead_at: isoTime(deadAt),
    created_at: isoTime(createdAt),
  };
}
