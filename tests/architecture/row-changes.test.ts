/**
 * Every statement that changes or deletes rows, and every foreign key that does so with another row, concerns a bounded number of
 * rows: a user or an organization for whose rows `database.queryTimeout` is too short could never be deleted.
 */
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { featureList } from '../../src/features/index.ts'
import { declareSchema } from '../../src/migrate/index.ts'

/** Statements whose condition names no row: file and table, with what bounds their rows. */
const statements: Readonly<Record<string, string>> = {
  'features/accounts/account-store.ts account': 'the one account with a password of a user',
  'features/accounts/password-removal.ts account': 'the one account with a password of a user',
  'features/attempts/index.ts attempt': 'counters of one account, by network; they expire within a day',
  'features/audit/retention.ts auditEvent': 'the slice that was read: 1,000 events',
  'features/incidents/freezes.ts incidentFreeze': 'one row for each of three kinds',
  'features/jwt/rotation.ts jwks': 'signing keys: a few',
  'features/mailbox/index.ts caughtMail': 'emails of a development server',
  'features/organizations/invitations.ts invitation': '`invitationLimit` of the organization',
  'features/organizations/store.ts session': 'sessions of 500 users in which one organization is active',
  'features/list-exports/run.ts listExportPart': 'parts of one export: 100',
  'features/account-lock/lock-links.ts lockLink': 'links of one user: `mailLimit` while they are valid',
  'features/accounts/social-accounts.ts account': 'accounts of one user at the configured providers',
  'features/outbox/index.ts outbox': 'messages to one address: `mailLimit`, and the retention of sent ones',
  'features/password-hashes/index.ts passwordScheme': 'one scheme',
  'features/phone-number/index.ts outbox': 'text messages to one number: `smsLimit`, and the retention of sent ones',
  'features/second-factor/attempts.ts twoFactor': 'the one row of a user',
  'features/second-factor/backup-codes.ts backupCode': 'backup codes of one user: 40 at most',
  'features/second-factor/enabling.ts signInChallenge': 'challenges of one user: 5 for each network; they expire within an hour',
  'features/move/better-auth/credentials.ts backupCode': 'of a batch of a move: up to 20 for each of 1,000 users',
  'features/move/better-auth/credentials.ts twoFactor': 'of a batch of a move: the one row of each of 1,000 users',
  'features/move/better-auth/organizations.ts teamMember': 'teams of one member',
  'features/moved-users/index.ts movedUser': 'the one row of a user',
  'features/second-factor/enrolment.ts twoFactor': 'the one row of a user',
  'features/second-factor/index.ts twoFactor': 'the one row of a user',
  'features/second-factor/model.ts twoFactor': 'the one row of a user',
  'features/second-factor/pending-resets.ts factorReset': 'the one row of a user',
  'features/second-factor/resets.ts factorReset': 'the one row of a user',
  'features/second-factor/revocation.ts signInChallenge':
    'challenges of one user: 5 for each network; they expire within an hour',
  'features/second-factor/totp.ts twoFactor': 'the one row of a user',
  'features/second-factor/verification.ts twoFactor': 'the one row of a user',
  'features/sessions/revocation.ts session': 'sessions of one user: 10,000 at most; or those whose IDs were read',
  'features/statistics/counts.ts statistic': 'counts of one series on one day: a few for each rule and sign-in method',
  'features/terms/acceptance.ts termsAcceptance': 'versions of documents that one user has accepted: 100 at most',
  'features/terms/index.ts termsChallenge': 'sign-ins of one user that wait: a few',
  'features/terms/acceptance.ts termsPostponement': 'the one postponement of a version by a user',
  'features/users/name-words.ts userWord': 'words of 200 users: 16 for each',
  'features/verifications/code-store.ts oneTimeCode': 'codes of one user: one for each purpose',
  'features/waiting-list/entries.ts waitingListEntry': 'the one entry of an email address',
  'features/verifications/signed-tokens.ts verification': 'the one mark of a token',
  'features/verifications/token-store.ts verification': 'links of one user: `mailLimit` while they are valid',
}

/** What bounds the rows that are deleted or changed with the row that they refer to. */
const foreignKeys: Readonly<Record<string, string>> = {
  'session.userId': 'sessions of one user: 10,000 at most',
  'session.impersonatedBy': 'impersonations of one administrator, which last an hour by default',
  'account.userId': 'accounts of one user at the configured providers',
  'passkey.userId': '`maximumPasskeys`: 100 at most',
  'passkeyUser.userId': 'the one handle of a user',
  'userPicture.userId': 'the one picture of a user',
  'userWord.userId': 'words of the name of one user: 16 at most',
  'twoFactor.userId': 'the one row of a user',
  'factorReset.userId': 'the one row of a user',
  'backupCode.userId': 'backup codes of one user: 40 at most',
  'signInChallenge.userId': 'challenges of one user: 5 for each network; they expire within an hour',
  'trustedDevice.userId': 'browsers of one user, each with a proof of a second factor; they expire',
  'twoFactorDue.userId': 'rules that one user has met: a few',
  'termsAcceptance.userId': 'versions of documents that one user has accepted: 100 at most',
  'termsPostponement.userId': 'versions of documents that one user has postponed: 100 at most',
  'termsChallenge.userId': 'sign-ins of one user that wait, each with a proof; they expire within an hour',
  'lockLink.userId': 'links of one user: `mailLimit` while they are valid',
  'knownDevice.userId': 'devices of one user: 1,000 at most',
  'bulkActionTarget.bulkActionId': 'deleted in batches before',
  'listExportPart.exportId': 'deleted in batches before',
  'apikey.userId': '`maximumKeysPerUser`: 10,000 at most',
  'apikey.organizationId': '`maximumKeysPerOrganization`: 10,000 at most',
  'team.organizationId': '`maximumTeams`; those of an organization are few',
  'member.organizationId': 'deleted in batches before',
  'member.userId': 'deleted in batches before',
  'member.teamId': 'changed in batches before, in short transactions',
  'invitation.organizationId': 'deleted in batches before',
  'teamMember.teamId': 'deleted in batches before, in short transactions',
  'teamMember.userId': 'deleted with the memberships of the user before',
  'teamMember.memberId': 'teams of one member: `maximumTeams`; those of an organization are few',
  'organizationRole.organizationId': '`maximumRolesPerOrganization`: 100 by default',
  'moveSession.sessionId': 'the one token of a session, in a trial',
  'movedUser.userId': 'the one row of a user',
  'invitation.inviterId': 'deleted in batches before',
}

const namesRows = /\.where\(\s*'(?:id|key|name|number)',\s*'(?:=|in)'/
const source = new URL('../../src/', import.meta.url).pathname

function findStatements(): string[] {
  const found = new Set<string>()
  for (const file of globSync('**/*.ts', { cwd: source })) {
    if (file.endsWith('.test.ts')) continue
    const text = readFileSync(`${source}${file}`, 'utf8')
    for (const { 1: table = '', index } of text.matchAll(/\b(?:deleteFrom|updateTable)\((?:'(\w+)'|\w+)/g)) {
      const following = text.slice(index, index + 1000)
      const end = following.search(/\.(?:execute|compile)\w*\(/)
      const statement = end === -1 ? following : following.slice(0, end)
      if (!namesRows.test(statement)) found.add(`${file} ${table}`)
    }
  }
  return [...found].toSorted()
}

test('a statement that changes rows without naming them has a bound', () => {
  expect(findStatements()).toEqual(Object.keys(statements).toSorted())
})

test('a foreign key that deletes or changes rows has a bound', () => {
  const { tables } = declareSchema(Object.values(featureList))
  const found = Object.entries(tables).flatMap(([table, declared]) =>
    Object.values(declared.foreignKeys).flatMap(({ column, onDelete }) =>
      onDelete === 'restrict' ? [] : [`${table}.${column}`],
    ),
  )
  expect(found.toSorted()).toEqual(Object.keys(foreignKeys).toSorted())
})
