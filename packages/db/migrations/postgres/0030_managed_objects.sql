CREATE TABLE "managed_objects" (
	"kind" text NOT NULL,
	"object" text NOT NULL,
	"file" text NOT NULL,
	"settings" json NOT NULL,
	"locked" boolean NOT NULL,
	"applied_at" bigint NOT NULL,
	"applied_by" text NOT NULL,
	"audit_from" text COLLATE "C" NOT NULL,
	"unlocked_at" bigint,
	"unlocked_by" text,
	CONSTRAINT "managed_objects_kind_object_pk" PRIMARY KEY("kind","object")
);
--> statement-breakpoint
CREATE INDEX "managed_objects_file" ON "managed_objects" USING btree ("file");