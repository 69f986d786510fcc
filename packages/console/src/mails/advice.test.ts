import { expect, test } from "vitest";
import { adviceFor } from "./advice.ts";

test.each([
  ["ENOTFOUND: getaddrinfo ENOTFOUND smtp.exmaple.com", /host name/],
  ["ECONNREFUSED: connect ECONNREFUSED 192.0.2.1:25", /port/],
  ["ETIMEDOUT: Connection timeout", /in time/],
  ["DEPTH_ZERO_SELF_SIGNED_CERT: self-signed certificate", /certificate is not trusted/],
  ["ETLS: Error initiating TLS - self-signed certificate", /certificate is not trusted/],
  ["ETLS: Error upgrading connection with STARTTLS", /Port 465/],
  ["ERR_SSL_WRONG_VERSION_NUMBER: wrong version number", /Port 465/],
  ["535 5.7.8 Error: authentication failed", /user or the password/],
  ["530 5.7.0 Authentication required", /sign-in first/],
  ["421 4.7.0 Try again later", /tried again/],
])("CO-69 the answer %j says what to do", (answer, advice) => {
  expect(adviceFor(answer)).toMatch(advice);
});

test.each(["it could not be written", "no_account", "299 what"])("%j needs no advice", (answer) => {
  expect(adviceFor(answer)).toBeNull();
});
