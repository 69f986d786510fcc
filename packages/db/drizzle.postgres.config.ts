import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "postgresql",
  schema: "./src/schema/postgres/index.ts",
  out: "./migrations/postgres",
});
