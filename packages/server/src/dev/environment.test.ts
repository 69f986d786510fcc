import { expect, test } from "vitest";
import { devEnvironment } from "./environment.ts";

const PLACE = { folder: "/shop/.gatehouse", port: 3300, consolePort: 3301 };

test("PK-18 no variable of the shell is a setting: they are the product's", () => {
  const shell = {
    PATH: "/bin",
    HOME: "/home/ada",
    DATABASE_URL: "postgres://shop",
    PGHOST: "db",
    PORT: "3000",
    HOST: "0.0.0.0",
    WEB_CONCURRENCY: "4",
    NODE_OPTIONS: "--inspect",
    GATEHOUSE_ISSUER: "https://id.example.com",
    GATEHOUSE_ENV_FILE: ".env",
    GATEHOUSE_SECRET: "the product has none, but a shell may",
    GATEHOUSE_SMTP_URL: "smtp://mail",
    LOG_LEVEL: "debug",
  };
  expect(devEnvironment(PLACE, shell)).toEqual({
    PATH: "/bin",
    HOME: "/home/ada",
    GATEHOUSE_ENV_FILE: "off",
    GATEHOUSE_DATA_DIR: "/shop/.gatehouse",
    DATABASE_URL: "file:/shop/.gatehouse/gatehouse.db",
    GATEHOUSE_ISSUER: "http://localhost:3300",
    GATEHOUSE_ADMIN_URL: "http://localhost:3301",
    PORT: "3300",
    ADMIN_PORT: "3301",
    LOG_LEVEL: "warn",
  });
});
