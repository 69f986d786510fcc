import { CHALLENGE } from "@gatehouse/auth/testing";
import { createStats } from "@gatehouse/db/stores/stats/store";
import { engines } from "@gatehouse/db/testing/engines";
import { expect, test } from "vitest";
import { registerClient } from "../clients/register.ts";
import { changePreviewFrame, listPreviews } from "../previews/frame.ts";
import { putPreviewSlot } from "../previews/preview-slots.ts";
import { ADMIN, ISSUER, openInstallation, seedApplication, webClient } from "../testing/installation.ts";
import { allow, sessionFor } from "../testing/try-runs.ts";
import { getClientImpact } from "./impact.ts";

const EXACT = "http://localhost:4000/cb";
const LOOPBACK = "http://127.0.0.1/cb";
const PREVIEWS = ["https://one.preview.example.com/cb", "https://two.preview.example.com/cb"];

test.each(engines)(
  "CO-11 CO-37 a loopback URI counts whatever its port, and preview slots count together, on $name",
  async (engine) => {
    const it = await openInstallation(engine);
    try {
      const { applicationId } = await seedApplication(it.deps);
      const draft = webClient({ type: "native", redirectUris: [EXACT, LOOPBACK] });
      const { client } = await registerClient({ ...draft, applicationId, name: "CLI" }, ADMIN, it.deps);
      const { clientId } = client;
      const frame = { hostPrefix: "", hostSuffix: ".preview.example.com", path: "/cb" };
      const { version } = await listPreviews(clientId, it.deps);
      await changePreviewFrame({ clientId, version, frame }, ADMIN, it.deps);
      for (const [at, redirectUri] of PREVIEWS.entries())
        await putPreviewSlot({ clientId, key: `pr-${at}`, redirectUri }, ADMIN, it.deps);

      const stats = createStats(it.deps.db, {
        now: it.deps.now,
        onError: (error) => expect.unreachable(String(error)),
      });
      const deps = { ...it.deps, usage: stats.usage };
      const session = await sessionFor("user", deps);
      for (const redirect_uri of ["http://127.0.0.1:53001/cb", "http://127.0.0.1:53002/cb", EXACT, ...PREVIEWS]) {
        const request = {
          client_id: clientId,
          redirect_uri,
          response_type: "code",
          scope: "api:read",
          prompt: "consent",
        };
        const pkce = { code_challenge: CHALLENGE, code_challenge_method: "S256" };
        await allow(`${ISSUER}/authorize?${new URLSearchParams({ ...request, ...pkce })}`, session, deps);
      }
      await stats.stop();

      const signIns = async (removed: string[]) =>
        (await getClientImpact(clientId, { kind: "redirect_uris", removed }, it.deps)).signIns30d;
      expect([await signIns([LOOPBACK]), await signIns([EXACT]), await signIns([EXACT, LOOPBACK])]).toEqual([2, 1, 3]);
      const { db } = it.deps;
      const { tables } = db;
      expect((await db.select().from(tables.uriDay)).map(({ uses }) => uses).sort()).toEqual([1, 2, 2]);
    } finally {
      await it.close();
    }
  },
);
