CREATE TABLE "refusal_group_hours" (
	"group_key" text NOT NULL,
	"at" bigint NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "refusal_group_hours_group_key_at_pk" PRIMARY KEY("group_key","at")
);
--> statement-breakpoint
CREATE TABLE "refusal_groups" (
	"key" text PRIMARY KEY NOT NULL,
	"cause" text NOT NULL,
	"endpoint" text NOT NULL,
	"client_id" text,
	"difference" text NOT NULL,
	"first_at" bigint NOT NULL,
	"last_at" bigint NOT NULL,
	"count" bigint NOT NULL,
	"muted_until" bigint,
	"resolved_at" bigint,
	"regressed_at" bigint
);
--> statement-breakpoint
ALTER TABLE "refusals" ADD COLUMN "group_key" text;--> statement-breakpoint
ALTER TABLE "refusal_group_hours" ADD CONSTRAINT "refusal_group_hours_group_key_refusal_groups_key_fk" FOREIGN KEY ("group_key") REFERENCES "public"."refusal_groups"("key") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "refusal_group_hours_at" ON "refusal_group_hours" USING btree ("at","group_key");--> statement-breakpoint
CREATE INDEX "refusal_groups_last_at" ON "refusal_groups" USING btree ("last_at","key");--> statement-breakpoint
ALTER TABLE "refusals" ADD CONSTRAINT "refusals_group_key_refusal_groups_key_fk" FOREIGN KEY ("group_key") REFERENCES "public"."refusal_groups"("key") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "refusals_group" ON "refusals" USING btree ("group_key","at","error_id");