import { randomBytes } from "node:crypto";
import { createSeal } from "@gatehouse/auth";

export const BASE_URL = "https://gate.example";

/** What the endpoint's secrets are sealed with. */
export const createTestSeal = () =>
  createSeal("a secret for the tests, 32 bytes or more", (length) => randomBytes(length));
