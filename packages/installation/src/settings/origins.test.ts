import { expect, test } from "vitest";
import { settingOrigins } from "./origins.ts";
import { readSettings } from "./settings.ts";

const origins = (given: Partial<Parameters<typeof settingOrigins>[0]>) => {
  const found = settingOrigins({ variables: {}, envFile: undefined, saved: new Set(), inForce: undefined, ...given });
  return Object.fromEntries(
    found.flatMap(({ settings }) => settings.map(({ variable, value, origin }) => [variable, [value, origin]])),
  );
};

test("OP-13 each setting has its value and where that comes from: environment, file, console or default", () => {
  const envFile = { path: "/srv/.env", values: { PORT: "4000", LOG_LEVEL: "debug" } };
  const variables = { PORT: "4000", LOG_LEVEL: "warn", GATEHOUSE_SECRET_FILE: "/run/secrets/gatehouse", HOST: "" };
  const inForce = readSettings({ GATEHOUSE_SECRET: "x".repeat(32), GATEHOUSE_AUDIT_DAYS: "90" }, import.meta.dirname);
  const saved = new Set(["GATEHOUSE_AUDIT_DAYS", "LOG_LEVEL"]);
  expect(origins({ variables, envFile, saved, inForce })).toMatchObject({
    GATEHOUSE_ISSUER: ["http://localhost:3000", "default"],
    PORT: ["4000", "/srv/.env"],
    LOG_LEVEL: ["warn", "environment"],
    GATEHOUSE_SECRET: ["set", "/run/secrets/gatehouse"],
    GATEHOUSE_AUDIT_DAYS: ["90", "console"],
    DATABASE_PREPARE: ["auto", "default"],
    GATEHOUSE_BACKUP_DIR: ["backups in the data folder", "default"],
  });
});

test("OP-13 no secret is printed", () => {
  const variables = {
    GATEHOUSE_SECRET: "s".repeat(43),
    GATEHOUSE_ADMIN_PASSWORD: "correct: horse",
    DATABASE_URL: "postgres://gatehouse:hunter2@db.example.com:5432/gatehouse?password=hunter3",
    GATEHOUSE_SMTP_URL: "smtps://mailer:hunter4@mail.example.com",
  };
  expect(origins({ variables })).toMatchObject({
    GATEHOUSE_SECRET: ["set (43 characters)", "environment"],
    GATEHOUSE_ADMIN_PASSWORD: ["set (14 characters)", "environment"],
    DATABASE_URL: ["postgres://db.example.com:5432/gatehouse", "environment"],
    GATEHOUSE_SMTP_URL: ["smtps://mail.example.com", "environment"],
  });
  expect(JSON.stringify(origins({ variables }))).not.toMatch(/hunter|horse|sss/);
});
