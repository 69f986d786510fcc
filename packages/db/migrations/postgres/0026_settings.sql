CREATE TABLE "settings" (
	"id" text PRIMARY KEY NOT NULL,
	"values" json NOT NULL,
	"version" bigint NOT NULL
);
