-- 0001_initial
-- Review this file, and edit it if needed, before it is applied; never afterwards. Each statement ends with a semicolon at
-- the end of a line. The comment above it names its change: an interrupted run uses it to check whether it took effect.
-- snapshot: 26a3a2f4b09ac6bbe766a22e59db0b008129c59b6de2929f95d41ffa68e7519f

-- up

-- create-table:user (safe)
create table `user` (
  `id` varchar(36) not null,
  `name` text not null,
  `email` varchar(320) not null,
  `emailVerified` tinyint(1) not null default 0,
  `image` text null,
  `createdAt` datetime(3) not null,
  `updatedAt` datetime(3) not null,
  `accessRevision` int not null default 0,
  `sortName` varchar(64) null,
  `preferredLocale` varchar(35) null,
  `preferredTimeZone` varchar(64) null,
  `role` varchar(255) null,
  `username` varchar(255) null,
  `displayUsername` varchar(255) null,
  `phoneNumber` varchar(32) null,
  `phoneNumberVerified` tinyint(1) null,
  `verifiedPhoneNumber` varchar(32) null,
  `banned` tinyint(1) null,
  `banReason` text null,
  `banExpires` datetime(3) null,
  `lockedAt` datetime(3) null,
  `lockReason` varchar(500) null,
  `lockEmail` varchar(320) null,
  `lastSignInAt` datetime(3) null,
  `activity` bigint null,
  `isAnonymous` tinyint(1) null,
  primary key (`id`),
  unique index `user_email_key` (`email`),
  unique index `user_username_key` (`username`),
  unique index `user_verifiedPhoneNumber_key` (`verifiedPhoneNumber`),
  index `user_displayUsername_id_idx` (`displayUsername`, `id`),
  index `user_phoneNumber_idx` (`phoneNumber`),
  index `user_phoneNumberVerified_id_idx` (`phoneNumberVerified`, `id`),
  index `user_createdAt_id_idx` (`createdAt`, `id`),
  index `user_updatedAt_id_idx` (`updatedAt`, `id`),
  index `user_sortName_id_idx` (`sortName`, `id`),
  index `user_lastSignInAt_id_idx` (`lastSignInAt`, `id`),
  index `user_banned_createdAt_id_idx` (`banned`, `createdAt`, `id`),
  index `user_emailVerified_createdAt_id_idx` (`emailVerified`, `createdAt`, `id`),
  index `user_role_createdAt_id_idx` (`role`, `createdAt`, `id`),
  index `user_banExpires_id_idx` (`banExpires`, `id`),
  index `user_lockedAt_id_idx` (`lockedAt`, `id`),
  index `user_lockReason_id_idx` (`lockReason`, `id`),
  index `user_isAnonymous_id_idx` (`isAnonymous`, `id`)
) engine=InnoDB row_format=dynamic default character set utf8mb4 /*!80017 collate utf8mb4_0900_bin */ /*M! collate utf8mb4_nopad_bin */;

-- create-table:account (safe)
create table `account` (
  `id` varchar(36) not null,
  `accountId` varchar(255) not null,
  `providerId` varchar(64) not null,
  `userId` varchar(36) not null,
  `issuer` varchar(255) null,
  `accessToken` text null,
  `refreshToken` text null,
  `idToken` text null,
  `accessTokenExpiresAt` datetime(3) null,
  `refreshTokenExpiresAt` datetime(3) null,
  `scope` text null,
  `password` text null,
  `createdAt` datetime(3) not null,
  `updatedAt` datetime(3) not null,
  `mustReplacePassword` tinyint(1) not null default 0,
  primary key (`id`),
  index `account_userId_providerId_idx` (`userId`, `providerId`),
  unique index `account_providerId_accountId_key` (`providerId`, `accountId`),
  constraint `account_userId_fk` foreign key (`userId`) references `user` (`id`) on delete cascade
) engine=InnoDB row_format=dynamic default character set utf8mb4 /*!80017 collate utf8mb4_0900_bin */ /*M! collate utf8mb4_nopad_bin */;

-- create-table:apikey (safe)
create table `apikey` (
  `id` varchar(36) not null,
  `configId` varchar(64) null,
  `name` varchar(255) null,
  `start` varchar(64) null,
  `prefix` varchar(64) null,
  `key` varchar(64) not null,
  `userId` varchar(36) null,
  `refillInterval` int null,
  `refillAmount` int null,
  `lastRefillAt` datetime(3) null,
  `enabled` tinyint(1) not null default 1,
  `rateLimitEnabled` tinyint(1) not null default 1,
  `rateLimitTimeWindow` bigint null,
  `rateLimitMax` int null,
  `requestCount` int not null default 0,
  `remaining` int null,
  `lastRequest` datetime(3) null,
  `expiresAt` datetime(3) null,
  `createdAt` datetime(3) not null,
  `updatedAt` datetime(3) not null,
  `permissions` text null,
  `metadata` text null,
  primary key (`id`),
  unique index `apikey_key_key` (`key`),
  index `apikey_userId_createdAt_id_idx` (`userId`, `createdAt`, `id`),
  index `apikey_expiresAt_idx` (`expiresAt`),
  constraint `apikey_userId_fk` foreign key (`userId`) references `user` (`id`) on delete cascade
) engine=InnoDB row_format=dynamic default character set utf8mb4 /*!80017 collate utf8mb4_0900_bin */ /*M! collate utf8mb4_nopad_bin */;

-- create-table:attempt (safe)
create table `attempt` (
  `id` varchar(36) not null,
  `key` varchar(64) not null,
  `account` varchar(64) not null,
  `failures` int not null,
  `blockedUntil` bigint not null,
  `lastFailureAt` bigint not null,
  `succeededAt` bigint null,
  `expiresAt` datetime(3) not null,
  primary key (`id`),
  unique index `attempt_key_key` (`key`),
  index `attempt_account_idx` (`account`),
  index `attempt_expiresAt_idx` (`expiresAt`),
  index `attempt_blockedUntil_id_idx` (`blockedUntil`, `id`)
) engine=InnoDB row_format=dynamic default character set utf8mb4 /*!80017 collate utf8mb4_0900_bin */ /*M! collate utf8mb4_nopad_bin */;

-- create-table:auditEvent (safe)
create table `auditEvent` (
  `id` varchar(36) not null,
  `createdAt` datetime(3) not null,
  `action` varchar(64) not null,
  `outcome` varchar(16) not null,
  `actorKind` varchar(16) not null,
  `actorId` varchar(36) null,
  `actorName` varchar(64) null,
  `impersonatedBy` varchar(36) null,
  `targetType` varchar(32) null,
  `targetId` varchar(64) null,
  `userId` varchar(36) null,
  `organizationId` varchar(36) null,
  `ipAddress` varchar(64) null,
  `ipHash` varchar(64) null,
  `requestId` varchar(36) null,
  `details` json /*M! collate utf8mb4_nopad_bin */ not null,
  `code` varchar(64) not null,
  `sequence` bigint null,
  `hash` varchar(64) null,
  primary key (`id`),
  unique index `auditEvent_sequence_key` (`sequence`),
  index `auditEvent_createdAt_id_idx` (`createdAt`, `id`),
  index `auditEvent_userId_createdAt_id_idx` (`userId`, `createdAt`, `id`),
  index `auditEvent_actorId_createdAt_id_action_idx` (`actorId`, `createdAt`, `id`, `action`),
  index `auditEvent_organizationId_createdAt_id_idx` (`organizationId`, `createdAt`, `id`),
  index `auditEvent_action_createdAt_id_idx` (`action`, `createdAt`, `id`),
  index `auditEvent_outcome_createdAt_id_idx` (`outcome`, `createdAt`, `id`),
  index `auditEvent_actorKind_createdAt_id_idx` (`actorKind`, `createdAt`, `id`),
  index `auditEvent_targetType_createdAt_id_idx` (`targetType`, `createdAt`, `id`),
  index `auditEvent_targetId_createdAt_id_idx` (`targetId`, `createdAt`, `id`),
  index `auditEvent_ipAddress_createdAt_id_idx` (`ipAddress`, `createdAt`, `id`),
  index `auditEvent_requestId_idx` (`requestId`)
) engine=InnoDB row_format=dynamic default character set utf8mb4 /*!80017 collate utf8mb4_0900_bin */ /*M! collate utf8mb4_nopad_bin */;

-- create-table:auditState (safe)
create table `auditState` (
  `id` varchar(36) not null,
  `sequence` bigint not null,
  `hash` varchar(64) not null,
  `updatedAt` datetime(3) not null,
  `details` text not null,
  `code` varchar(64) not null,
  primary key (`id`)
) engine=InnoDB row_format=dynamic default character set utf8mb4 /*!80017 collate utf8mb4_0900_bin */ /*M! collate utf8mb4_nopad_bin */;

-- create-table:avatar (safe)
create table `avatar` (
  `id` varchar(36) not null,
  `image` text null,
  `expiresAt` datetime(3) not null,
  primary key (`id`),
  index `avatar_expiresAt_idx` (`expiresAt`)
) engine=InnoDB row_format=dynamic default character set utf8mb4 /*!80017 collate utf8mb4_0900_bin */ /*M! collate utf8mb4_nopad_bin */;

-- create-table:bulkAction (safe)
create table `bulkAction` (
  `id` varchar(36) not null,
  `action` varchar(32) not null,
  `state` varchar(16) not null,
  `input` json /*M! collate utf8mb4_nopad_bin */ not null,
  `filter` json /*M! collate utf8mb4_nopad_bin */ null,
  `createdBy` varchar(36) not null,
  `idempotencyKey` varchar(64) not null,
  `total` int not null,
  `done` int not null default 0,
  `failed` int not null default 0,
  `skipped` int not null default 0,
  `createdAt` datetime(3) not null,
  `endedAt` datetime(3) null,
  `expiresAt` datetime(3) not null,
  primary key (`id`),
  unique index `bulkAction_createdBy_idempotencyKey_key` (`createdBy`, `idempotencyKey`),
  index `bulkAction_state_createdAt_idx` (`state`, `createdAt`),
  index `bulkAction_createdAt_id_idx` (`createdAt`, `id`),
  index `bulkAction_expiresAt_idx` (`expiresAt`)
) engine=InnoDB row_format=dynamic default character set utf8mb4 /*!80017 collate utf8mb4_0900_bin */ /*M! collate utf8mb4_nopad_bin */;

-- create-table:bulkActionTarget (safe)
create table `bulkActionTarget` (
  `id` varchar(36) not null,
  `bulkActionId` varchar(36) not null,
  `userId` varchar(36) not null,
  `outcome` varchar(16) null,
  `code` varchar(100) null,
  `expiresAt` datetime(3) not null,
  primary key (`id`),
  unique index `bulkActionTarget_bulkActionId_userId_key` (`bulkActionId`, `userId`),
  index `bulkActionTarget_bulkActionId_outcome_id_idx` (`bulkActionId`, `outcome`, `id`),
  index `bulkActionTarget_expiresAt_idx` (`expiresAt`),
  constraint `bulkActionTarget_bulkActionId_fk` foreign key (`bulkActionId`) references `bulkAction` (`id`) on delete cascade
) engine=InnoDB row_format=dynamic default character set utf8mb4 /*!80017 collate utf8mb4_0900_bin */ /*M! collate utf8mb4_nopad_bin */;

-- create-table:erasure (safe)
create table `erasure` (
  `id` varchar(36) not null,
  `createdAt` datetime(3) not null,
  primary key (`id`)
) engine=InnoDB row_format=dynamic default character set utf8mb4 /*!80017 collate utf8mb4_0900_bin */ /*M! collate utf8mb4_nopad_bin */;

-- create-table:incidentFreeze (safe)
create table `incidentFreeze` (
  `id` varchar(36) not null,
  `kind` varchar(16) not null,
  `since` datetime(3) not null,
  `reason` varchar(200) null,
  `actorId` varchar(36) null,
  `actorName` varchar(64) null,
  `expiresAt` datetime(3) null,
  primary key (`id`),
  unique index `incidentFreeze_kind_key` (`kind`)
) engine=InnoDB row_format=dynamic default character set utf8mb4 /*!80017 collate utf8mb4_0900_bin */ /*M! collate utf8mb4_nopad_bin */;

-- create-table:incidentRevocation (safe)
create table `incidentRevocation` (
  `id` varchar(36) not null,
  `filter` json /*M! collate utf8mb4_nopad_bin */ not null,
  `reason` varchar(200) null,
  `state` varchar(16) not null,
  `createdBy` varchar(36) null,
  `actorName` varchar(64) null,
  `revoked` int not null default 0,
  `createdAt` datetime(3) not null,
  `endedAt` datetime(3) null,
  `expiresAt` datetime(3) not null,
  primary key (`id`),
  index `incidentRevocation_state_createdAt_idx` (`state`, `createdAt`),
  index `incidentRevocation_createdAt_id_idx` (`createdAt`, `id`),
  index `incidentRevocation_expiresAt_idx` (`expiresAt`)
) engine=InnoDB row_format=dynamic default character set utf8mb4 /*!80017 collate utf8mb4_0900_bin */ /*M! collate utf8mb4_nopad_bin */;

-- create-table:organization (safe)
create table `organization` (
  `id` varchar(36) not null,
  `name` varchar(255) not null,
  `slug` varchar(255) not null,
  `logo` text null,
  `createdAt` datetime(3) not null,
  `metadata` text null,
  `memberCount` int not null default 0,
  `revision` int not null default 0,
  `deletedAt` datetime(3) null,
  `sortName` varchar(64) null,
  `twoFactorRequired` tinyint(1) not null default 0,
  `twoFactorGraceDays` int null,
  `twoFactorRequiredAt` datetime(3) null,
  `twoFactorShowAdministrators` tinyint(1) not null default 0,
  primary key (`id`),
  unique index `organization_slug_key` (`slug`),
  index `organization_createdAt_id_idx` (`createdAt`, `id`),
  index `organization_deletedAt_idx` (`deletedAt`),
  index `organization_sortName_id_idx` (`sortName`, `id`)
) engine=InnoDB row_format=dynamic default character set utf8mb4 /*!80017 collate utf8mb4_0900_bin */ /*M! collate utf8mb4_nopad_bin */;

-- create-table:invitation (safe)
create table `invitation` (
  `id` varchar(36) not null,
  `organizationId` varchar(36) not null,
  `email` varchar(320) not null,
  `role` varchar(255) null,
  `teamId` varchar(1023) null,
  `status` varchar(16) not null,
  `expiresAt` datetime(3) not null,
  `inviterId` varchar(36) not null,
  `createdAt` datetime(3) not null,
  `pendingEmail` varchar(320) null,
  primary key (`id`),
  unique index `invitation_organizationId_pendingEmail_key` (`organizationId`, `pendingEmail`),
  index `invitation_organizationId_createdAt_id_idx` (`organizationId`, `createdAt`, `id`),
  index `invitation_organizationId_status_createdAt_id_idx` (`organizationId`, `status`, `createdAt`, `id`),
  index `invitation_email_idx` (`email`),
  index `invitation_inviterId_idx` (`inviterId`),
  constraint `invitation_organizationId_fk` foreign key (`organizationId`) references `organization` (`id`) on delete cascade,
  constraint `invitation_inviterId_fk` foreign key (`inviterId`) references `user` (`id`) on delete cascade
) engine=InnoDB row_format=dynamic default character set utf8mb4 /*!80017 collate utf8mb4_0900_bin */ /*M! collate utf8mb4_nopad_bin */;

-- create-table:jobRun (safe)
create table `jobRun` (
  `id` varchar(36) not null,
  `name` varchar(64) not null,
  `startedAt` datetime(3) not null,
  `finishedAt` datetime(3) null,
  `succeededAt` datetime(3) null,
  `outcome` varchar(16) null,
  `error` varchar(100) null,
  `runs` int not null default 0,
  `failures` int not null default 0,
  primary key (`id`),
  unique index `jobRun_name_key` (`name`)
) engine=InnoDB row_format=dynamic default character set utf8mb4 /*!80017 collate utf8mb4_0900_bin */ /*M! collate utf8mb4_nopad_bin */;

-- create-table:jwks (safe)
create table `jwks` (
  `id` varchar(36) not null,
  `publicKey` text not null,
  `privateKey` text not null,
  `createdAt` datetime(3) not null,
  `algorithm` varchar(16) not null,
  `sequence` int not null,
  `activatesAt` datetime(3) not null,
  `retiredAt` datetime(3) null,
  `tokenLifetime` int not null,
  primary key (`id`),
  unique index `jwks_sequence_key` (`sequence`)
) engine=InnoDB row_format=dynamic default character set utf8mb4 /*!80017 collate utf8mb4_0900_bin */ /*M! collate utf8mb4_nopad_bin */;

-- create-table:knownDevice (safe)
create table `knownDevice` (
  `id` varchar(36) not null,
  `userId` varchar(36) not null,
  `key` varchar(64) not null,
  `lastSignInAt` datetime(3) not null,
  primary key (`id`),
  unique index `knownDevice_key_key` (`key`),
  index `knownDevice_userId_idx` (`userId`),
  index `knownDevice_lastSignInAt_idx` (`lastSignInAt`),
  constraint `knownDevice_userId_fk` foreign key (`userId`) references `user` (`id`) on delete cascade
) engine=InnoDB row_format=dynamic default character set utf8mb4 /*!80017 collate utf8mb4_0900_bin */ /*M! collate utf8mb4_nopad_bin */;

-- create-table:listExport (safe)
create table `listExport` (
  `id` varchar(36) not null,
  `source` varchar(64) not null,
  `format` varchar(16) not null,
  `state` varchar(16) not null,
  `code` varchar(100) null,
  `filter` json /*M! collate utf8mb4_nopad_bin */ not null,
  `createdBy` varchar(36) not null,
  `columns` json /*M! collate utf8mb4_nopad_bin */ null,
  `cursor` text null,
  `pages` int not null default 0,
  `parts` int not null default 0,
  `total` bigint null,
  `rows` bigint not null default 0,
  `bytes` bigint not null default 0,
  `createdAt` datetime(3) not null,
  `endedAt` datetime(3) null,
  `expiresAt` datetime(3) not null,
  primary key (`id`),
  index `listExport_state_createdAt_idx` (`state`, `createdAt`),
  index `listExport_createdBy_createdAt_idx` (`createdBy`, `createdAt`),
  index `listExport_expiresAt_idx` (`expiresAt`)
) engine=InnoDB row_format=dynamic default character set utf8mb4 /*!80017 collate utf8mb4_0900_bin */ /*M! collate utf8mb4_nopad_bin */;

-- create-table:listExportPart (safe)
create table `listExportPart` (
  `exportId` varchar(36) not null,
  `number` int not null,
  `content` text not null,
  primary key (`exportId`, `number`),
  index `listExportPart_exportId_idx` (`exportId`),
  constraint `listExportPart_exportId_fk` foreign key (`exportId`) references `listExport` (`id`) on delete cascade
) engine=InnoDB row_format=dynamic default character set utf8mb4 /*!80017 collate utf8mb4_0900_bin */ /*M! collate utf8mb4_nopad_bin */;

-- create-table:lockLink (safe)
create table `lockLink` (
  `id` varchar(36) not null,
  `userId` varchar(36) not null,
  `tokenHash` varchar(64) not null,
  `email` varchar(320) null,
  `expiresAt` datetime(3) not null,
  `usedAt` datetime(3) null,
  primary key (`id`),
  unique index `lockLink_tokenHash_key` (`tokenHash`),
  index `lockLink_userId_idx` (`userId`),
  index `lockLink_expiresAt_idx` (`expiresAt`),
  constraint `lockLink_userId_fk` foreign key (`userId`) references `user` (`id`) on delete cascade
) engine=InnoDB row_format=dynamic default character set utf8mb4 /*!80017 collate utf8mb4_0900_bin */ /*M! collate utf8mb4_nopad_bin */;

-- create-table:mailCount (safe)
create table `mailCount` (
  `id` varchar(36) not null,
  `key` varchar(64) not null,
  `count` int not null,
  `expiresAt` datetime(3) not null,
  primary key (`id`),
  unique index `mailCount_key_key` (`key`),
  index `mailCount_expiresAt_idx` (`expiresAt`)
) engine=InnoDB row_format=dynamic default character set utf8mb4 /*!80017 collate utf8mb4_0900_bin */ /*M! collate utf8mb4_nopad_bin */;

-- create-table:team (safe)
create table `team` (
  `id` varchar(36) not null,
  `name` varchar(255) not null,
  `organizationId` varchar(36) not null,
  `createdAt` datetime(3) not null,
  `updatedAt` datetime(3) null,
  primary key (`id`),
  index `team_organizationId_createdAt_id_idx` (`organizationId`, `createdAt`, `id`),
  constraint `team_organizationId_fk` foreign key (`organizationId`) references `organization` (`id`) on delete cascade
) engine=InnoDB row_format=dynamic default character set utf8mb4 /*!80017 collate utf8mb4_0900_bin */ /*M! collate utf8mb4_nopad_bin */;

-- create-table:member (safe)
create table `member` (
  `id` varchar(36) not null,
  `organizationId` varchar(36) not null,
  `userId` varchar(36) not null,
  `role` varchar(255) not null,
  `teamId` varchar(36) null,
  `createdAt` datetime(3) not null,
  `twoFactorMetAt` datetime(3) null,
  `twoFactorRemindedAt` datetime(3) null,
  primary key (`id`),
  unique index `member_organizationId_userId_key` (`organizationId`, `userId`),
  index `member_userId_createdAt_id_idx` (`userId`, `createdAt`, `id`),
  index `member_organizationId_createdAt_id_idx` (`organizationId`, `createdAt`, `id`),
  index `member_organizationId_role_id_idx` (`organizationId`, `role`, `id`),
  index `member_teamId_idx` (`teamId`),
  constraint `member_organizationId_fk` foreign key (`organizationId`) references `organization` (`id`) on delete cascade,
  constraint `member_userId_fk` foreign key (`userId`) references `user` (`id`) on delete cascade,
  constraint `member_teamId_fk` foreign key (`teamId`) references `team` (`id`) on delete set null
) engine=InnoDB row_format=dynamic default character set utf8mb4 /*!80017 collate utf8mb4_0900_bin */ /*M! collate utf8mb4_nopad_bin */;

-- create-table:movedUser (safe)
create table `movedUser` (
  `id` varchar(36) not null,
  `userId` varchar(36) not null,
  `setupLinkSentAt` datetime(3) null,
  primary key (`id`),
  unique index `movedUser_userId_key` (`userId`),
  constraint `movedUser_userId_fk` foreign key (`userId`) references `user` (`id`) on delete cascade
) engine=InnoDB row_format=dynamic default character set utf8mb4 /*!80017 collate utf8mb4_0900_bin */ /*M! collate utf8mb4_nopad_bin */;

-- create-table:nameCheck (safe)
create table `nameCheck` (
  `id` varchar(16) not null,
  `position` varchar(36) not null,
  `finishedAt` datetime(3) null,
  primary key (`id`)
) engine=InnoDB row_format=dynamic default character set utf8mb4 /*!80017 collate utf8mb4_0900_bin */ /*M! collate utf8mb4_nopad_bin */;

-- create-table:oneTimeCode (safe)
create table `oneTimeCode` (
  `id` varchar(36) not null,
  `key` varchar(64) not null,
  `codeHash` varchar(64) not null,
  `value` varchar(36) null,
  `attempts` int not null,
  `expiresAt` datetime(3) not null,
  primary key (`id`),
  unique index `oneTimeCode_key_key` (`key`),
  index `oneTimeCode_value_idx` (`value`),
  index `oneTimeCode_expiresAt_idx` (`expiresAt`)
) engine=InnoDB row_format=dynamic default character set utf8mb4 /*!80017 collate utf8mb4_0900_bin */ /*M! collate utf8mb4_nopad_bin */;

-- create-table:organizationRole (safe)
create table `organizationRole` (
  `id` varchar(36) not null,
  `organizationId` varchar(36) not null,
  `role` varchar(255) not null,
  `permission` json /*M! collate utf8mb4_nopad_bin */ not null,
  `createdAt` datetime(3) not null,
  `updatedAt` datetime(3) null,
  primary key (`id`),
  unique index `organizationRole_organizationId_role_key` (`organizationId`, `role`),
  constraint `organizationRole_organizationId_fk` foreign key (`organizationId`) references `organization` (`id`) on delete cascade
) engine=InnoDB row_format=dynamic default character set utf8mb4 /*!80017 collate utf8mb4_0900_bin */ /*M! collate utf8mb4_nopad_bin */;

-- create-table:outbox (safe)
create table `outbox` (
  `id` varchar(36) not null,
  `kind` varchar(64) not null,
  `recipient` varchar(320) not null,
  `content` text null,
  `attempts` int not null default 0,
  `nextAttemptAt` datetime(3) null,
  `claimedUntil` datetime(3) null,
  `lastError` varchar(255) null,
  `createdAt` datetime(3) not null,
  `sentAt` datetime(3) null,
  `failedAt` datetime(3) null,
  `expiresAt` datetime(3) null,
  `locale` varchar(35) null,
  `timeZone` varchar(64) null,
  `linkHash` varchar(64) null,
  `linkURL` text null,
  primary key (`id`),
  unique index `outbox_linkHash_key` (`linkHash`),
  index `outbox_nextAttemptAt_idx` (`nextAttemptAt`),
  index `outbox_failedAt_idx` (`failedAt`),
  index `outbox_sentAt_idx` (`sentAt`),
  index `outbox_createdAt_id_idx` (`createdAt`, `id`),
  index `outbox_expiresAt_idx` (`expiresAt`),
  index `outbox_recipient_createdAt_idx` (`recipient`, `createdAt`),
  index `outbox_kind_createdAt_idx` (`kind`, `createdAt`)
) engine=InnoDB row_format=dynamic default character set utf8mb4 /*!80017 collate utf8mb4_0900_bin */ /*M! collate utf8mb4_nopad_bin */;

-- create-table:passwordScheme (safe)
create table `passwordScheme` (
  `id` varchar(36) not null,
  `scheme` varchar(64) not null,
  `rounds` bigint not null,
  primary key (`id`),
  unique index `passwordScheme_scheme_key` (`scheme`)
) engine=InnoDB row_format=dynamic default character set utf8mb4 /*!80017 collate utf8mb4_0900_bin */ /*M! collate utf8mb4_nopad_bin */;

-- create-table:pictureDeletion (safe)
create table `pictureDeletion` (
  `id` varchar(36) not null,
  `url` text not null,
  `nextAttemptAt` datetime(3) not null,
  `attempts` int not null,
  primary key (`id`),
  index `pictureDeletion_nextAttemptAt_id_idx` (`nextAttemptAt`, `id`)
) engine=InnoDB row_format=dynamic default character set utf8mb4 /*!80017 collate utf8mb4_0900_bin */ /*M! collate utf8mb4_nopad_bin */;

-- create-table:role (safe)
create table `role` (
  `id` varchar(36) not null,
  `name` varchar(64) not null,
  `permissions` json /*M! collate utf8mb4_nopad_bin */ not null,
  `createdAt` datetime(3) not null,
  `updatedAt` datetime(3) not null,
  primary key (`id`),
  unique index `role_name_key` (`name`)
) engine=InnoDB row_format=dynamic default character set utf8mb4 /*!80017 collate utf8mb4_0900_bin */ /*M! collate utf8mb4_nopad_bin */;

-- create-table:session (safe)
create table `session` (
  `id` varchar(36) not null,
  `expiresAt` datetime(3) not null,
  `tokenHash` varchar(64) not null,
  `createdAt` datetime(3) not null,
  `updatedAt` datetime(3) not null,
  `ipAddress` varchar(64) null,
  `userAgent` text null,
  `userId` varchar(36) not null,
  `authenticatedAt` datetime(3) null,
  `remembered` tinyint(1) not null default 1,
  `acr` varchar(32) null,
  `amr` varchar(255) null,
  `strongUsedAt` bigint null,
  `signInMethod` varchar(64) null,
  `activeOrganizationId` varchar(36) null,
  `activeTeamId` varchar(36) null,
  `impersonatedBy` varchar(36) null,
  `impersonatorSessionId` varchar(36) null,
  primary key (`id`),
  unique index `session_tokenHash_key` (`tokenHash`),
  index `session_userId_expiresAt_idx` (`userId`, `expiresAt`),
  index `session_expiresAt_idx` (`expiresAt`),
  index `session_activeOrganizationId_idx` (`activeOrganizationId`),
  index `session_impersonatedBy_idx` (`impersonatedBy`),
  constraint `session_userId_fk` foreign key (`userId`) references `user` (`id`) on delete cascade,
  constraint `session_impersonatedBy_fk` foreign key (`impersonatedBy`) references `user` (`id`) on delete cascade
) engine=InnoDB row_format=dynamic default character set utf8mb4 /*!80017 collate utf8mb4_0900_bin */ /*M! collate utf8mb4_nopad_bin */;

-- create-table:statistic (safe)
create table `statistic` (
  `id` varchar(36) not null,
  `series` varchar(32) not null,
  `unit` varchar(8) not null,
  `at` datetime(3) not null,
  `label` varchar(128) not null,
  `value` bigint not null,
  `expiresAt` datetime(3) not null,
  primary key (`id`),
  index `statistic_series_unit_at_label_value_idx` (`series`, `unit`, `at`, `label`, `value`),
  index `statistic_expiresAt_idx` (`expiresAt`)
) engine=InnoDB row_format=dynamic default character set utf8mb4 /*!80017 collate utf8mb4_0900_bin */ /*M! collate utf8mb4_nopad_bin */;

-- create-table:teamMember (safe)
create table `teamMember` (
  `id` varchar(36) not null,
  `teamId` varchar(36) not null,
  `userId` varchar(36) not null,
  `memberId` varchar(36) not null,
  `createdAt` datetime(3) not null,
  primary key (`id`),
  unique index `teamMember_teamId_userId_key` (`teamId`, `userId`),
  index `teamMember_teamId_createdAt_id_idx` (`teamId`, `createdAt`, `id`),
  index `teamMember_userId_createdAt_teamId_idx` (`userId`, `createdAt`, `teamId`),
  index `teamMember_memberId_createdAt_id_idx` (`memberId`, `createdAt`, `id`),
  constraint `teamMember_teamId_fk` foreign key (`teamId`) references `team` (`id`) on delete cascade,
  constraint `teamMember_userId_fk` foreign key (`userId`) references `user` (`id`) on delete cascade,
  constraint `teamMember_memberId_fk` foreign key (`memberId`) references `member` (`id`) on delete cascade
) engine=InnoDB row_format=dynamic default character set utf8mb4 /*!80017 collate utf8mb4_0900_bin */ /*M! collate utf8mb4_nopad_bin */;

-- create-table:userPicture (safe)
create table `userPicture` (
  `id` varchar(36) not null,
  `userId` varchar(36) not null,
  `image` text not null,
  `url` text null,
  `createdAt` datetime(3) not null,
  primary key (`id`),
  unique index `userPicture_userId_key` (`userId`),
  constraint `userPicture_userId_fk` foreign key (`userId`) references `user` (`id`) on delete cascade
) engine=InnoDB row_format=dynamic default character set utf8mb4 /*!80017 collate utf8mb4_0900_bin */ /*M! collate utf8mb4_nopad_bin */;

-- create-table:userWord (safe)
create table `userWord` (
  `word` varchar(32) not null,
  `userId` varchar(36) not null,
  primary key (`word`, `userId`),
  index `userWord_userId_word_idx` (`userId`, `word`),
  constraint `userWord_userId_fk` foreign key (`userId`) references `user` (`id`) on delete cascade
) engine=InnoDB row_format=dynamic default character set utf8mb4 /*!80017 collate utf8mb4_0900_bin */ /*M! collate utf8mb4_nopad_bin */;

-- create-table:verification (safe)
create table `verification` (
  `id` varchar(36) not null,
  `identifier` varchar(64) not null,
  `subject` varchar(128) null,
  `value` text not null,
  `expiresAt` datetime(3) not null,
  `createdAt` datetime(3) null,
  `updatedAt` datetime(3) null,
  primary key (`id`),
  unique index `verification_identifier_key` (`identifier`),
  index `verification_subject_idx` (`subject`),
  index `verification_expiresAt_idx` (`expiresAt`)
) engine=InnoDB row_format=dynamic default character set utf8mb4 /*!80017 collate utf8mb4_0900_bin */ /*M! collate utf8mb4_nopad_bin */;

-- down

-- drop-table:verification (destructive)
drop table `verification`;

-- drop-table:userWord (destructive)
drop table `userWord`;

-- drop-table:userPicture (destructive)
drop table `userPicture`;

-- drop-table:teamMember (destructive)
drop table `teamMember`;

-- drop-table:statistic (destructive)
drop table `statistic`;

-- drop-table:session (destructive)
drop table `session`;

-- drop-table:role (destructive)
drop table `role`;

-- drop-table:pictureDeletion (destructive)
drop table `pictureDeletion`;

-- drop-table:passwordScheme (destructive)
drop table `passwordScheme`;

-- drop-table:outbox (destructive)
drop table `outbox`;

-- drop-table:organizationRole (destructive)
drop table `organizationRole`;

-- drop-table:oneTimeCode (destructive)
drop table `oneTimeCode`;

-- drop-table:nameCheck (destructive)
drop table `nameCheck`;

-- drop-table:movedUser (destructive)
drop table `movedUser`;

-- drop-table:member (destructive)
drop table `member`;

-- drop-table:team (destructive)
drop table `team`;

-- drop-table:mailCount (destructive)
drop table `mailCount`;

-- drop-table:lockLink (destructive)
drop table `lockLink`;

-- drop-table:listExportPart (destructive)
drop table `listExportPart`;

-- drop-table:listExport (destructive)
drop table `listExport`;

-- drop-table:knownDevice (destructive)
drop table `knownDevice`;

-- drop-table:jwks (destructive)
drop table `jwks`;

-- drop-table:jobRun (destructive)
drop table `jobRun`;

-- drop-table:invitation (destructive)
drop table `invitation`;

-- drop-table:organization (destructive)
drop table `organization`;

-- drop-table:incidentRevocation (destructive)
drop table `incidentRevocation`;

-- drop-table:incidentFreeze (destructive)
drop table `incidentFreeze`;

-- drop-table:erasure (destructive)
drop table `erasure`;

-- drop-table:bulkActionTarget (destructive)
drop table `bulkActionTarget`;

-- drop-table:bulkAction (destructive)
drop table `bulkAction`;

-- drop-table:avatar (destructive)
drop table `avatar`;

-- drop-table:auditState (destructive)
drop table `auditState`;

-- drop-table:auditEvent (destructive)
drop table `auditEvent`;

-- drop-table:attempt (destructive)
drop table `attempt`;

-- drop-table:apikey (destructive)
drop table `apikey`;

-- drop-table:account (destructive)
drop table `account`;

-- drop-table:user (destructive)
drop table `user`;
