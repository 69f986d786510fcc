// The process in which misbehaving handlers run: node --import tsx handlers-process.ts <database URL> <memory in MB>

import { createWebhookStore, openDatabase } from "@gatehouse/db";
import { answerRuns } from "../process/answer-runs.ts";
import { BASE_URL, createTestSeal } from "./inbox-secrets.ts";
import { misbehaving } from "./misbehaving.ts";

const [url = "", memoryMb] = process.argv.slice(2);
const { handle, background, close } = await openDatabase(url);
const now = () => Math.floor(Date.now() / 1000);
const note = () => {};
answerRuns(
  {
    handle: background,
    now,
    baseUrl: BASE_URL,
    handlers: misbehaving,
    log: { info: note, warn: note, error: note },
    store: createWebhookStore(handle, createTestSeal(), now),
    request: async () => Promise.reject(new Error("no request expected")),
  },
  { memoryMb: Number(memoryMb), close },
);
