import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../../../..");

/**
 * Every file that uses the installation's secret, and what a change of the secret does there. `rewrapped`: stored, and
 * sealed again. `carried`: leaves the server and comes back; both secrets open it meanwhile, then it is gone. `tried`:
 * a MAC, compared under each secret. `own`: decided in the file. OP-15 (decision 0036 says why).
 */
const USES: Readonly<Record<string, "rewrapped" | "carried" | "tried" | "own">> = {
  "packages/accounts/src/fresh-sign-in/kept-form.ts": "carried",
  "packages/accounts/src/gate/pending-sign-in.ts": "carried",
  "packages/accounts/src/mailed-tokens/mint.ts": "rewrapped",
  "packages/accounts/src/passkeys/challenge.ts": "carried",
  "packages/accounts/src/second-factors/manage-totp.ts": "rewrapped",
  "packages/accounts/src/sign-in-log/email-hash.ts": "tried",
  "packages/accounts/src/sign-in/known-browser.ts": "carried",
  "packages/accounts/src/sign-in/new-password-ticket.ts": "carried",
  "packages/accounts/src/sign-in/restore-ticket.ts": "carried",
  "packages/accounts/src/sign-in/session.ts": "rewrapped",
  "packages/accounts/src/upstream/attempt.ts": "carried",
  "packages/accounts/src/upstream/pending-link.ts": "carried",
  "packages/accounts/src/upstream/test-run.ts": "carried",
  "packages/auth/src/authorization/device.ts": "carried",
  "packages/auth/src/authorization/pending-request.ts": "carried",
  "packages/auth/src/crypto/seal.ts": "own",
  "packages/auth/src/crypto/signing-keys.ts": "rewrapped",
  "packages/auth/src/sessions/csrf.ts": "carried",
  "packages/auth/src/sessions/logout.ts": "carried",
  "packages/auth/src/tokens/dpop.ts": "carried",
  "packages/auth/src/tokens/refresh-token.ts": "tried",
  "packages/console/src/audit/chain.ts": "own",
  "packages/console/src/branding/preview.ts": "carried",
  "packages/console/src/doctor/probe.ts": "carried",
  "packages/console/src/export-ticket.ts": "carried",
  "packages/console/src/settings/sealed.ts": "rewrapped",
  "packages/console/src/sign-in-providers/providers.ts": "rewrapped",
  "packages/console/src/try/run-ticket.ts": "carried",
  "packages/console/src/users/import/import.ts": "rewrapped",
  "packages/console/src/webhook-endpoints/forwarding/secrets.ts": "rewrapped",
  "packages/console/src/webhook-secrets/rows.ts": "rewrapped",
  "packages/installation/src/console-client.ts": "own",
  "packages/installation/src/seal/rewrap.ts": "own",
  "packages/installation/src/secret-in-force.ts": "own",
  "packages/mail/src/render.ts": "rewrapped",
};

const USE = /\bseal\.seal\(|\bderive\([`"a-z]|hkdfSync\(/;

test("OP-15 it is decided for every use of the secret what a change of the secret does", () => {
  const packages = readdirSync(join(ROOT, "packages")).filter((name) => name !== "sdk");
  const folders = [
    ...packages.map((name) => `packages/${name}/src`),
    "apps/web/app",
    "apps/web/server",
    "apps/web/views",
  ];
  const files = folders
    .filter((folder) => existsSync(join(ROOT, folder)))
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`),
    );
  const using = files
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|\/testing\//.test(file))
    .filter((file) => USE.test(readFileSync(join(ROOT, file), "utf8")));
  expect(using.toSorted()).toEqual(Object.keys(USES).toSorted());
});
