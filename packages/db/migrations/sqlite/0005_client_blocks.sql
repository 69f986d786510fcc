CREATE TABLE `client_blocks` (
	`kind` text NOT NULL,
	`value` text NOT NULL,
	`reason` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	PRIMARY KEY(`kind`, `value`)
);
--> statement-breakpoint
ALTER TABLE `clients` ADD `document_host` text;--> statement-breakpoint
ALTER TABLE `clients` ADD `software_id` text;--> statement-breakpoint
UPDATE `clients` SET `software_id` = `options` ->> 'softwareId' WHERE `origin` <> 'registered';--> statement-breakpoint
UPDATE `clients` SET `document_host` = lower(substr(`id`, instr(`id`, '://') + 3, instr(substr(`id`, instr(`id`, '://') + 3), '/') - 1)) WHERE `origin` = 'metadata_document';--> statement-breakpoint
UPDATE `clients` SET `document_host` = substr(`document_host`, 1, instr(`document_host`, ':') - 1) WHERE `document_host` NOT LIKE '[%' AND instr(`document_host`, ':') > 0;--> statement-breakpoint
UPDATE `clients` SET `document_host` = substr(`document_host`, 1, instr(`document_host`, ']')) WHERE `document_host` LIKE '[%';--> statement-breakpoint
INSERT INTO `client_blocks` (`kind`, `value`, `reason`, `created_at`) SELECT 'client_id', `id`, '', `disabled_at` FROM `clients` WHERE `origin` <> 'registered' AND `disabled_at` IS NOT NULL;
--> statement-breakpoint
DELETE FROM `access_tokens` WHERE `context` LIKE '%"subjectToken"%';
