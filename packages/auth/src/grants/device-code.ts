import { storageHash } from "../crypto/secret.ts";
import { OAuthError } from "../errors/error.ts";
import { SLOW_DOWN_SECONDS } from "../lifetimes.ts";
import { exemptionOfCredential } from "../request-policy.ts";
import { availableResources } from "../resources/registry.ts";
import { resolveTokenResource } from "../resources/resource-indicators.ts";
import type { DeviceCode, DeviceCodeStore } from "../store/device-codes.ts";
import { invalidGrant, ofUser, requireActiveGrant } from "../tokens/grant-status.ts";
import { identityOf } from "../tokens/id-token.ts";
import { issueTokens, refreshTerms } from "../tokens/issue.ts";
import type { GrantHandler } from "./grant.ts";

/** A poll of a device; the first poll after the approval gets the tokens. RFC 8628 §3.4, §3.5; DF-07, DF-08, DF-14. */
export const deviceCode: GrantHandler = async (form, client, deps, dpopJkt) => {
  const now = deps.now();
  const hash = storageHash(form.required("device_code"));
  const code = await deps.store.findDeviceCode(hash);
  if (!code) throw invalidGrant("device_code_unknown", "no such device code");
  if (code.clientId !== client.clientId)
    throw invalidGrant("device_code_of_other_client", "another client's device code");
  const found = exemptionOfCredential(code.exemptionId, deps);
  const exemption = found && (await found);
  if (code.redeemedAt !== null) throw invalidGrant("device_code_used", "the device code was used before", ofUser(code));
  if (code.expiresAt <= now) {
    const detail = { expiredBySeconds: now - code.expiresAt };
    throw new OAuthError("expired_token", "device_code_expired", "the code has expired", {
      description: "Start again.",
      detail,
    });
  }
  if (code.deniedAt !== null) {
    throw new OAuthError("access_denied", "device_denied", "the user denied the request", {
      description: "The user denied the request.",
      detail: ofUser(code),
    });
  }
  const { grantId, userId, context } = code;
  if (grantId === null || userId === null) return wait(code, now, deps.store);

  const target = resolveTokenResource(
    { ...code, resources: form.all("resource") },
    await availableResources(client, deps),
  );
  requireActiveGrant(code);
  if (!(await deps.store.redeemDeviceCode(hash, now)))
    throw invalidGrant("device_code_used", "another poll redeemed it first");
  const identity = identityOf(code.scope, code.user);
  const refresh = refreshTerms(client, code, now);
  const issue = { client, owner: { grantId, userId }, ...target, refresh, identity, dpopJkt, context, exemption };
  return issueTokens(issue, deps);
};

/** RFC 8628 §3.5: the interval applies only while the user has not decided. Each early poll extends it. */
async function wait(code: DeviceCode, now: number, store: DeviceCodeStore): Promise<never> {
  if (await store.pollDeviceCode(code.hash, now, SLOW_DOWN_SECONDS)) {
    throw new OAuthError("authorization_pending", "device_pending", "the user has not decided yet");
  }
  throw new OAuthError("slow_down", "device_polled_too_fast", "polled before the end of the interval", {
    description: `From now on, wait ${SLOW_DOWN_SECONDS} seconds longer between polls.`,
    detail: { intervalSeconds: code.intervalSeconds + SLOW_DOWN_SECONDS },
  });
}
