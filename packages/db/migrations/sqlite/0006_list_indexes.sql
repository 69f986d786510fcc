DROP INDEX `webhook_deliveries_outcome`;--> statement-breakpoint
DROP INDEX `webhook_deliveries_event_id`;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_outcome` ON `webhook_deliveries` (`outcome`,`received_at`,`id`) WHERE "webhook_deliveries"."outcome" <> 'accepted';--> statement-breakpoint
CREATE INDEX `webhook_deliveries_event_id` ON `webhook_deliveries` (`event_id`,`received_at`,`id`) WHERE "webhook_deliveries"."event_id" is not null;--> statement-breakpoint
CREATE INDEX `users_role` ON `users` (`role`,`created_at`,`id`) WHERE "users"."role" <> 'user';