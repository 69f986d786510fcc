import { randomBytes } from "node:crypto";
import { type MailKinds, type MailOf, mintMailedToken, type NewMail } from "@gatehouse/accounts";
import { createSeal, mintId } from "@gatehouse/auth";
import { accountRecordWrites } from "@gatehouse/db/stores/accounts/account-records";
import { createAccountStore } from "@gatehouse/db/stores/accounts/store";
import { claimJobs } from "@gatehouse/db/stores/jobs/job-claims";
import { finishJob, type Job, leaseFence, retryJob } from "@gatehouse/db/stores/jobs/job-outcomes";
import { findMail } from "@gatehouse/db/stores/jobs/mails";
import { createRateLimiter } from "@gatehouse/db/stores/rate-limits/rate-limiter";
import type { TestEngine } from "@gatehouse/db/testing/engines";
import { NOW, seed } from "@gatehouse/db/testing/people";
import { JobFailure, type Queue } from "@gatehouse/work/jobs";
import { createMailComposer } from "../compose.ts";
import { createMailLimits } from "../limits.ts";
import { type Delivery, mailQueue } from "../outbox.ts";

const PRESENTATION = { product: "Gatehouse", issuer: "https://id.example" };
const HOUR = 3600;

/** The outbox on a fresh database, with a queue that a test runs attempt by attempt. */
export async function openOutbox({ open }: TestEngine, { burst = 200 } = {}) {
  const database = await open();
  const { db } = database;
  await seed(db);
  const random = (length: number) => randomBytes(length);
  const clock = { now: NOW };
  const now = () => clock.now;
  const seal = createSeal("a secret for the tests, 32 bytes or more", random);
  const people = createAccountStore(db);
  /** A test can change it, as an admin does. */
  const allowed = { burst };
  const limits = createMailLimits(
    (limit) => createRateLimiter(database, limit),
    () => allowed.burst,
  );
  const composer = createMailComposer({ now, random, seal, limits, isAvailable: () => true });
  const logged: object[] = [];
  const log = (fields: object) => void logged.push(fields);

  const queueFor = (delivery: Delivery | undefined): Queue =>
    mailQueue({
      db,
      people,
      limits,
      seal,
      now,
      presentation: PRESENTATION,
      log: { warn: log, error: log },
      delivery: async () => delivery,
    });

  /**
   * A sign-in code with its token, saved as a page saves it. `address` is the caller's: each test address has its own
   * count.
   */
  async function save(
    change: Partial<MailOf<"sign_in_code">> & { deliver?: boolean; address?: string; browserId?: string } = {},
  ): Promise<NewMail> {
    const { deliver = true, address = "192.0.2.1", ...rest } = change;
    const email = change.to ?? "ada@example.com";
    const draft = { purpose: "sign_in" as const, userId: null, email, lifetimeSeconds: HOUR, withCode: true };
    const { row, code } = mintMailedToken(draft, { now, random, seal });
    const data: MailKinds["sign_in_code"] = { code, link: "https://id.example/sign-in/code?token=gml_test" };
    const caller = { address };
    const mail = await composer.composeRequested("sign_in_code", {
      to: email,
      locale: "en",
      data,
      token: row.hash,
      caller,
      deliver,
      ...rest,
    });
    await people.saveMailedToken(row, { mails: [mail] });
    return mail;
  }

  async function claim(leaseToken = mintId(random)): Promise<Job | undefined> {
    const [job] = await claimJobs(db, { queue: "mail", limit: 1, leaseToken, leaseSeconds: 60 });
    return job;
  }

  /**
   * Runs the next due job as a worker does, except that a retry is due at once. Returns the seconds that it should
   * wait, or "done".
   */
  async function attempt(queue: Queue, signal = new AbortController().signal): Promise<number | "done" | "no job"> {
    const job = await claim();
    if (!job) return "no job";
    try {
      await queue.run(job, { signal, fence: () => leaseFence(db, job) });
    } catch (error) {
      if (!(error instanceof JobFailure) || error.retryInSeconds === null) throw error;
      await retryJob(db, job, { error: error.message, seconds: 0 });
      return error.retryInSeconds;
    }
    await finishJob(db, job);
    return "done";
  }

  const addAlone = (mail: NewMail) => db.transaction(accountRecordWrites(db, { mails: [mail] }));
  const mailOf = async ({ id }: Pick<NewMail, "id">) => findMail(db, id);
  return {
    database,
    db,
    clock,
    people,
    composer,
    limits,
    allowed,
    random,
    seal,
    logged,
    queueFor,
    save,
    addAlone,
    claim,
    attempt,
    mailOf,
  };
}

export type TestOutbox = Awaited<ReturnType<typeof openOutbox>>;
