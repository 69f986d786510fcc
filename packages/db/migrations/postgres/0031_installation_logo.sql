CREATE TABLE "installation_logo" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text,
	"bytes" "bytea",
	"updated_at" bigint NOT NULL
);
