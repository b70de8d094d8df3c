-- 0001_initial
-- Review this file, and edit it if needed, before it is applied; never afterwards. Each statement ends with a semicolon at
-- the end of a line. The comment above it names its change: an interrupted run uses it to check whether it took effect.
-- snapshot: 3d641b6127431644a4ea95443379e8e637748de1826c9612ea8299a7b7fba6ac

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
  `role` varchar(255) null,
  primary key (`id`),
  unique index `user_email_key` (`email`)
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
  index `account_userId_idx` (`userId`),
  unique index `account_providerId_accountId_key` (`providerId`, `accountId`),
  constraint `account_userId_fk` foreign key (`userId`) references `user` (`id`) on delete cascade
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
  index `attempt_expiresAt_idx` (`expiresAt`)
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
  primary key (`id`),
  index `outbox_nextAttemptAt_idx` (`nextAttemptAt`),
  index `outbox_failedAt_idx` (`failedAt`),
  index `outbox_sentAt_idx` (`sentAt`),
  index `outbox_createdAt_id_idx` (`createdAt`, `id`)
) engine=InnoDB row_format=dynamic default character set utf8mb4 /*!80017 collate utf8mb4_0900_bin */ /*M! collate utf8mb4_nopad_bin */;

-- create-table:passwordScheme (safe)
create table `passwordScheme` (
  `id` varchar(36) not null,
  `scheme` varchar(64) not null,
  `rounds` bigint not null,
  primary key (`id`),
  unique index `passwordScheme_scheme_key` (`scheme`)
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
  primary key (`id`),
  unique index `session_tokenHash_key` (`tokenHash`),
  index `session_userId_expiresAt_idx` (`userId`, `expiresAt`),
  index `session_expiresAt_idx` (`expiresAt`),
  constraint `session_userId_fk` foreign key (`userId`) references `user` (`id`) on delete cascade
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

-- drop-table:session (destructive)
drop table `session`;

-- drop-table:role (destructive)
drop table `role`;

-- drop-table:passwordScheme (destructive)
drop table `passwordScheme`;

-- drop-table:outbox (destructive)
drop table `outbox`;

-- drop-table:mailCount (destructive)
drop table `mailCount`;

-- drop-table:attempt (destructive)
drop table `attempt`;

-- drop-table:account (destructive)
drop table `account`;

-- drop-table:user (destructive)
drop table `user`;
