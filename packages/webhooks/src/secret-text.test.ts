import { describe, expect, test } from "vitest";
import { PROVIDERS } from "./providers/index.ts";
import { secretTextProblem } from "./secret-text.ts";

const { stripe, github, "standard-webhooks": standardWebhooks, custom } = PROVIDERS;

describe("the text of a secret, as it stands where it is copied from", () => {
  test.each([
    ["a sentence, where people choose the secret", "It's a Secret to Everybody", github],
    ["stars and an equals sign, where people choose the secret", "A=b***c...", custom],
    ["the scheme in front", "v1,whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", standardWebhooks],
    ["base64 with padding, which looks like an assignment", "ABCDEFGH==", standardWebhooks],
    ["the provider's own form", "whsec_abcDEF123", stripe],
  ])("%s is accepted", (_, text, provider) => {
    expect(secretTextProblem(text, provider)).toBeUndefined();
  });

  test.each([
    ["white space in a secret that the provider made", "whsec_abc def", stripe, /white space/],
    ["a line break in a secret that people choose", "one\ntwo", github, /line break/],
    ["a zero-width space", "whsec_abc\u200bdef", stripe, /cannot be seen/],
    ["a control character", "whsec_abc\u0000", github, /cannot be seen/],
    ["several, in the form of a list", "v1,whsec_abc|v1,whsec_def", standardWebhooks, /several/],
    ["an environment file's line", "export STRIPE_WEBHOOK_SECRET=whsec_abc", stripe, /follows the equals sign/],
    ["quotation marks", '"whsec_abc"', stripe, /quotation marks/],
    ["typographic quotation marks", "“whsec_abc”", stripe, /quotation marks/],
    ["an ellipsis", "whsec_...", stripe, /cut short/],
    ["dots in place of it", "••••••••", stripe, /masked/],
    ["stars in place of one that people choose", "********", github, /masked/],
  ])("%s is refused, with the reason", (_, text, provider, words) => {
    expect(secretTextProblem(text, provider)).toMatch(words);
  });
});
