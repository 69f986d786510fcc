// The process in which misbehaving handlers run: node --import tsx handlers-process.ts <database URL> <memory in MB>

import { openDatabase } from "@gatehouse/db/database";
import { createWebhookStore } from "@gatehouse/db/stores/webhooks/store";
import { answerRuns } from "../process/answer-runs.ts";
import { BASE_URL, createTestSeal } from "./inbox-secrets.ts";
import { misbehaving } from "./misbehaving.ts";

const [url = "", memoryMb] = process.argv.slice(2);
const { db, background, close } = await openDatabase(url);
const now = () => Math.floor(Date.now() / 1000);
const note = () => {};
answerRuns(
  {
    db: background,
    now,
    baseUrl: BASE_URL,
    handlers: misbehaving,
    log: { info: note, warn: note, error: note },
    store: createWebhookStore(db, createTestSeal(), now),
    request: async () => Promise.reject(new Error("no request expected")),
  },
  { memoryMb: Number(memoryMb), close },
);
