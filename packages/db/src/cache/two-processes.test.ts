import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { stat } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { mintAccessToken } from "@gatehouse/auth";
import { expect, test } from "vitest";
import { createAuthStore } from "../stores/auth/store.ts";
import { engines } from "../testing/engines.ts";
import { NOW, seed } from "../testing/people.ts";
import { requestArrived } from "./turn.ts";

const TOKENS = 50;

test.each(engines)(
  "on $name a token that another process has revoked is dead for every request that arrives afterwards, under load",
  async ({ open }) => {
    const database = await open();
    await seed(database.db);
    const store = createAuthStore(database.db);
    const common = {
      clientId: "shop-dev",
      userId: null,
      grantId: null,
      scope: "",
      audience: "https://api.example",
      context: null,
    } as const;
    const hashes = await Promise.all(
      Array.from({ length: TOKENS }, async (_, at) => {
        const { hash } = mintAccessToken(4_000_000_000, randomBytes);
        const times = { clientEpoch: 0, environment: "development", issuedAt: NOW, expiresAt: 4_000_000_000 } as const;
        await store.saveAccessToken({ ...common, ...times, hash, id: `token-${at}` });
        return hash;
      }),
    );

    const script = join(import.meta.dirname, "../testing/revoker.ts");
    const revoker = spawn(process.execPath, ["--import", "tsx", script, database.url], {
      cwd: import.meta.dirname,
      stdio: ["pipe", "pipe", "inherit"],
    });
    const lines = createInterface({ input: revoker.stdout })[Symbol.asyncIterator]();
    expect((await lines.next()).value).toBe("ready");

    // Other requests, in every turn: each arrives as the event loop polls, and reads the tokens in a turn that is open
    // by then.
    let stopped = false;
    const keepAsking = () =>
      stat(import.meta.filename, () => {
        if (stopped) return;
        requestArrived();
        void Promise.all(hashes.map((hash) => store.findAccessToken(hash))).then(() => setTimeout(keepAsking, 0));
      });
    keepAsking();

    try {
      for (const hash of hashes) {
        expect((await store.findAccessToken(hash))?.revokedAt).toBeNull();
        revoker.stdin.write(`${hash}\n`);
        const { done } = await lines.next(); // the revocation has been answered
        expect(done).toBe(false);
        // A request that arrives afterwards
        await new Promise<void>((resolve) => void stat(import.meta.filename, () => resolve()));
        requestArrived();
        expect((await store.findAccessToken(hash))?.revokedAt).toBe(1);
      }
    } finally {
      stopped = true;
      revoker.stdin.end();
      await once(revoker, "exit");
      await database.close();
    }
  },
);
