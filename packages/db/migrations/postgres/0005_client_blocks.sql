CREATE TABLE "client_blocks" (
	"kind" text NOT NULL,
	"value" text NOT NULL,
	"reason" text NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint,
	CONSTRAINT "client_blocks_kind_value_pk" PRIMARY KEY("kind","value")
);
--> statement-breakpoint
ALTER TABLE "clients" ADD COLUMN "document_host" text;--> statement-breakpoint
ALTER TABLE "clients" ADD COLUMN "software_id" text;--> statement-breakpoint
UPDATE "clients" SET "software_id" = "options" ->> 'softwareId' WHERE "origin" <> 'registered' AND "options"::text NOT LIKE '%\\u0000%';--> statement-breakpoint
UPDATE "clients" SET "document_host" = lower(regexp_replace(split_part("id", '/', 3), ':[0-9]*$', '')) WHERE "origin" = 'metadata_document';--> statement-breakpoint
INSERT INTO "client_blocks" ("kind", "value", "reason", "created_at") SELECT 'client_id', "id", '', "disabled_at" FROM "clients" WHERE "origin" <> 'registered' AND "disabled_at" IS NOT NULL;
--> statement-breakpoint
DELETE FROM "access_tokens" WHERE "context"::text LIKE '%"subjectToken"%';
