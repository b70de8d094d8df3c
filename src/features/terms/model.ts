/** Tables and errors of terms. */
import { defineErrors } from '../../core/errors.ts'
import {
  hidden,
  id,
  index,
  integer,
  internal,
  nullable,
  primary,
  references,
  secret,
  string,
  text,
  timestamp,
  uniqueIndex,
} from '../../core/table.ts'

export const errors = defineErrors({
  INVALID_TERMS_COOKIE: [401, 'Invalid terms cookie'],
  TERMS_VERSION_IS_NOT_CURRENT: [400, 'Terms version is not current'],
  TERMS_CANNOT_BE_POSTPONED: [400, 'Terms cannot be postponed'],
  TERMS_DOCUMENT_NOT_FOUND: [404, 'Terms document not found'],
})

/**
 * `user.termsAccepted`: the versions that a user has accepted last, by document, as JSON: a copy of what `termsAcceptance` says, so that a
 * sign-in needs no query.
 * `termsAcceptance`: one row for each version that a user has accepted. Of a deleted user `userId` is null, and `subject` a keyed hash of
 * their ID.
 * `termsPostponement`: versions that users have postponed, until they accept them.
 * `termsChallenge`: sign-ins that wait. `id` is a keyed hash of the cookie, and `proof` what was proven, as JSON.
 */
export const tables = {
  user: { termsAccepted: internal(nullable(text())) },
  termsAcceptance: {
    id: id(),
    userId: nullable(references('user')),
    subject: internal(nullable(string({ length: 64 }))),
    document: string({ length: 40 }),
    version: string({ length: 40 }),
    hash: nullable(string({ length: 64 })),
    acceptedAt: timestamp(),
    ipAddress: nullable(string({ length: 64 })),
    device: nullable(string()),
  },
  termsPostponement: {
    id: id(),
    userId: references('user'),
    document: string({ length: 40 }),
    version: string({ length: 40 }),
    postponedAt: timestamp(),
  },
  termsChallenge: {
    id: secret(primary(string({ length: 64 }))),
    userId: references('user'),
    proof: hidden(text()),
    accessRevision: integer(),
    sessionId: nullable(string({ length: 36 })),
    createdAt: timestamp(),
    expiresAt: timestamp(),
  },
}

export const indexes = {
  termsAcceptance: [
    // Two tabs accept a version once.
    uniqueIndex('userId', 'document', 'version'),
    index('document', 'version', 'hash'),
    index('acceptedAt', 'id'),
    index('document', 'version', 'acceptedAt', 'id'),
    index('subject'),
  ],
  termsPostponement: [uniqueIndex('userId', 'document', 'version'), index('document', 'version')],
  termsChallenge: [index('userId'), index('expiresAt')],
}

export const secretUses = {
  termsChallenges: { table: 'termsChallenge', column: 'id', noun: 'sign-in that waits for terms to be accepted' },
  termsProofs: { table: 'termsAcceptance', column: 'subject', noun: 'acceptance of terms by a deleted user' },
} as const
