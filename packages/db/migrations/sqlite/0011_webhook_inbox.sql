CREATE TABLE `audit` (
	`id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`actor_id` text NOT NULL,
	`actor_name` text NOT NULL,
	`role` text NOT NULL,
	`via` text NOT NULL,
	`action` text NOT NULL,
	`object` text NOT NULL,
	`environment` text,
	`detail` text NOT NULL,
	`address` text
);
--> statement-breakpoint
CREATE INDEX `audit_object` ON `audit` (`object`,`id`);--> statement-breakpoint
CREATE TABLE `jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`queue` text NOT NULL,
	`order_key` text,
	`payload` text NOT NULL,
	`run_at` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`lease_token` text,
	`last_error` text,
	`dead_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `jobs_due` ON `jobs` (`queue`,`run_at`,`id`) WHERE "jobs"."dead_at" is null;--> statement-breakpoint
CREATE INDEX `jobs_order` ON `jobs` (`queue`,`order_key`,`id`) WHERE "jobs"."order_key" is not null;--> statement-breakpoint
CREATE INDEX `jobs_dead` ON `jobs` (`dead_at`,`id`) WHERE "jobs"."dead_at" is not null;--> statement-breakpoint
CREATE TABLE `leases` (
	`name` text PRIMARY KEY NOT NULL,
	`holder` text NOT NULL,
	`until` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `stat_day` (
	`at` integer NOT NULL,
	`environment` text NOT NULL,
	`metric` text NOT NULL,
	`key` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`at`, `environment`, `metric`, `key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `stat_hour` (
	`at` integer NOT NULL,
	`environment` text NOT NULL,
	`metric` text NOT NULL,
	`key` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`at`, `environment`, `metric`, `key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `webhook_attempts` (
	`id` text PRIMARY KEY NOT NULL,
	`delivery_id` text NOT NULL,
	`endpoint` text NOT NULL,
	`event_key` blob NOT NULL,
	`handler` text NOT NULL,
	`trigger` text NOT NULL,
	`started_at` integer NOT NULL,
	`ms` integer NOT NULL,
	`outcome` text NOT NULL,
	`error` text,
	`stack` text,
	`actor` text
);
--> statement-breakpoint
CREATE INDEX `webhook_attempts_delivery` ON `webhook_attempts` (`delivery_id`,`id`);--> statement-breakpoint
CREATE TABLE `webhook_effects` (
	`endpoint` text NOT NULL,
	`event_key` blob NOT NULL,
	`handler` text NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`endpoint`, `event_key`, `handler`, `name`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `webhook_endpoints` (
	`slug` text PRIMARY KEY NOT NULL,
	`provider` text NOT NULL,
	`environment` text NOT NULL,
	`name` text,
	`settings` text NOT NULL,
	`created_at` integer NOT NULL,
	`disabled_at` integer,
	`last_accepted_at` integer,
	`last_refused_at` integer,
	`last_refused_reason` text
);
--> statement-breakpoint
INSERT INTO `webhook_endpoints` ("slug", "provider", "environment", "settings", "created_at", "disabled_at")
	SELECT "provider", "provider", 'production', '{}', "created_at", "disabled_at" FROM `webhook_providers`;
--> statement-breakpoint
INSERT INTO `stat_hour` ("at", "environment", "metric", "key", "count")
	SELECT "minute_at" - "minute_at" % 3600, CASE WHEN "provider" = 'unknown' THEN '' ELSE 'production' END, 'webhook_overflow', "provider" || '/' || "reason", sum("count")
	FROM `webhook_overflow` GROUP BY 1, 2, 3, 4;
--> statement-breakpoint
INSERT INTO `stat_day` ("at", "environment", "metric", "key", "count")
	SELECT "minute_at" - "minute_at" % 86400, CASE WHEN "provider" = 'unknown' THEN '' ELSE 'production' END, 'webhook_overflow', "provider" || '/' || "reason", sum("count")
	FROM `webhook_overflow` GROUP BY 1, 2, 3, 4;
--> statement-breakpoint
DROP TABLE `webhook_overflow`;
--> statement-breakpoint
CREATE TABLE `__new_webhook_secrets` (
	`id` text PRIMARY KEY NOT NULL,
	`endpoint` text NOT NULL,
	`kind` text NOT NULL,
	`sealed` text NOT NULL,
	`hash` text NOT NULL,
	`hint` text NOT NULL,
	`name` text,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`removed_at` integer,
	`last_matched_at` integer,
	FOREIGN KEY (`endpoint`) REFERENCES `webhook_endpoints`(`slug`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
INSERT INTO `__new_webhook_secrets` ("id", "endpoint", "kind", "sealed", "hash", "hint", "name", "created_at", "expires_at", "removed_at", "last_matched_at")
	SELECT "id", "provider", 'signing', "sealed", "hash", "hint", "name", "created_at", "expires_at", "removed_at", "last_matched_at" FROM `webhook_secrets`;
--> statement-breakpoint
DROP TABLE `webhook_secrets`;
--> statement-breakpoint
ALTER TABLE `__new_webhook_secrets` RENAME TO `webhook_secrets`;
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_secrets_endpoint_hash` ON `webhook_secrets` (`endpoint`,`hash`);
--> statement-breakpoint
DROP TABLE `webhook_providers`;
--> statement-breakpoint
CREATE TABLE `__new_webhook_deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`endpoint` text NOT NULL,
	`received_at` integer NOT NULL,
	`method` text NOT NULL,
	`outcome` text NOT NULL,
	`reason` text NOT NULL,
	`status` integer NOT NULL,
	`event_type` text,
	`event_id` text,
	`event_key` blob,
	`secret_id` text,
	`skew_seconds` integer,
	`headers` text NOT NULL,
	`body` blob,
	`body_bytes` integer,
	`ack_ms` integer NOT NULL,
	`address` text,
	`source` text NOT NULL
);
--> statement-breakpoint
INSERT INTO `__new_webhook_deliveries` ("id", "endpoint", "received_at", "method", "outcome", "reason", "status", "event_type", "event_id", "event_key", "secret_id", "skew_seconds", "headers", "body", "body_bytes", "ack_ms", "address", "source")
	SELECT d."id", d."provider", d."received_at", d."method", d."outcome", d."reason", d."status", d."event_type", d."event_id",
		CASE WHEN e."dedupe_key" IS NOT NULL THEN substr(sha256(e."dedupe_key"), 1, 16)
			WHEN d."outcome" = 'duplicate' AND d."event_id" IS NOT NULL THEN substr(sha256('id:' || d."event_id"), 1, 16) END,
		d."secret_id", d."skew_seconds", d."headers", d."body", d."body_bytes", d."ack_ms", d."address", 'http'
	FROM `webhook_deliveries` d LEFT JOIN `webhook_events` e ON e."id" = d."id" ORDER BY d."id";
--> statement-breakpoint
DROP TABLE `webhook_deliveries`;
--> statement-breakpoint
ALTER TABLE `__new_webhook_deliveries` RENAME TO `webhook_deliveries`;
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_endpoint` ON `webhook_deliveries` (`endpoint`,`id`);
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_outcome` ON `webhook_deliveries` (`outcome`,`id`) WHERE "webhook_deliveries"."outcome" <> 'accepted';
--> statement-breakpoint
CREATE TABLE `__new_webhook_events` (
	`endpoint` text NOT NULL,
	`key` blob NOT NULL,
	`delivery_id` text NOT NULL,
	`received_at` integer NOT NULL,
	`event_type` text,
	`state` text NOT NULL,
	PRIMARY KEY(`endpoint`, `key`)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_webhook_events` ("endpoint", "key", "delivery_id", "received_at", "event_type", "state")
	SELECT "provider", substr(sha256("dedupe_key"), 1, 16), "delivery_id", "received_at", "event_type", 'stored' FROM `webhook_events` ORDER BY 1, 2;
--> statement-breakpoint
DROP TABLE `webhook_events`;
--> statement-breakpoint
ALTER TABLE `__new_webhook_events` RENAME TO `webhook_events`;
--> statement-breakpoint
CREATE INDEX `webhook_events_state` ON `webhook_events` (`state`,`delivery_id`) WHERE "webhook_events"."state" in ('pending', 'failed', 'dead');
