/** A lock ends everything that gives access to the account, now or later. Both lists are derived: a new secret fails here. */
import { describe, expect, test } from 'vitest'
import { administrate } from '../../../tests/kit/administration.ts'
import { testApp } from '../../../tests/kit/app.ts'
import type { App } from '../../core/app.ts'
import type { Feature } from '../../core/feature.ts'
import { transaction } from '../../core/transaction.ts'
import { featureList } from '../index.ts'
import { createCode, createVerification, findVerification } from '../verifications/index.ts'
import { ownPurposes } from '../verifications/token-purposes.ts'
import { lockAccount } from './index.ts'

/** The uses of a secret that give access to an account, with how many of them a user has. */
const ended: Readonly<Record<string, (app: App, userId: string) => Promise<number>>> = {
  sessions: (app, userId) => count(app.db.selectFrom('session').selectAll().where('userId', '=', userId)),
  apiKeys: (app, userId) => count(app.db.selectFrom('apikey').selectAll().where('userId', '=', userId)),
  links: (app, userId) => count(app.db.selectFrom('verification').selectAll().where('subject', 'like', `%:${userId}`)),
  codes: (app, userId) => count(app.db.selectFrom('oneTimeCode').selectAll().where('value', '=', userId)),
  termsChallenges: (app, userId) => count(app.db.selectFrom('termsChallenge').selectAll().where('userId', '=', userId)),
  challenges: (app, userId) => count(app.db.selectFrom('signInChallenge').selectAll().where('userId', '=', userId)),
  trustedBrowsers: (app, userId) => count(app.db.selectFrom('trustedDevice').selectAll().where('userId', '=', userId)),
  providerTokens: (app, userId) => withToken('accessToken')(app, userId),
  providerRefreshTokens: (app, userId) => withToken('refreshToken')(app, userId),
  providerIdTokens: (app, userId) => withToken('idToken')(app, userId),
  movedSessions: (app, userId) => countOfTrial(app, userId),
  cancellations: (app, userId) => count(app.db.selectFrom('factorReset').selectAll().where('userId', '=', userId)),
}
/** Tokens of the sessions of a user, also of sessions that have ended. */
const countOfTrial = (app: App, userId: string) =>
  count(
    app.db
      .selectFrom('moveSession')
      .leftJoin('session', 'session.id', 'moveSession.sessionId')
      .select('moveSession.id')
      .where((eb) => eb.or([eb('session.userId', '=', userId), eb('session.id', 'is', null)])),
  )
/** Accounts whose tokens of this kind are stored. */
const withToken = (column: 'accessToken' | 'refreshToken' | 'idToken') => (app: App, userId: string) =>
  count(app.db.selectFrom('account').selectAll().where('userId', '=', userId).where(column, 'is not', null))
const stays: Readonly<Record<string, string>> = {
  emails: 'what a waiting message links to has ended',
  mailedLinks: 'a short link leads to a link that has ended',
  totpSecrets: 'a second factor is of use after a first one, which the lock rejects',
  pendingTOTPSecrets: 'setting one up needs a session',
  signingKeys: 'not of a user',
  attempts: 'a counter of failures',
  inviteLinks: 'of no user',
  termsProofs: 'the proof of an acceptance by a deleted user',
  lockLinks: 'a link locks the account again, and gives no access',
}

async function count(query: { execute: () => Promise<readonly unknown[]> }): Promise<number> {
  return (await query.execute()).length
}

const usesOf = Object.values(featureList as Readonly<Record<string, Feature>>).flatMap(({ secretUses = {} }) =>
  Object.keys(secretUses),
)

test('every use of a secret is ended by a lock, or gives no access', () => {
  expect([...Object.keys(ended), ...Object.keys(stays)].toSorted()).toEqual(usesOf.toSorted())
})

async function withAccess() {
  const kit = await administrate(
    await testApp({ admin: true, apiKey: true, twoFactor: true, terms: true, move: { trial: true } }),
  )
  const { app, uma } = kit
  const { userId } = uma
  await uma.browser.call('POST /api-key/create', { body: { name: 'key' } })
  const later = new Date(app.now().getTime() + 600_000)
  const times = { createdAt: app.now(), expiresAt: later }
  for (const purpose of ownPurposes)
    await createVerification(app, { purpose, token: `token for ${purpose}`, value: userId, subject: userId, expiresIn: 600 })
  await createCode(app, { purpose: 'email-code sign-in', name: uma.email, code: '123456', value: userId, expiresAt: later })
  const challenge = { id: 'a hash', userId, kind: 'verify', proof: '{}', accessRevision: 0, networkKey: '', ...times }
  await app.db.insertInto('signInChallenge').values(challenge).execute()
  const waiting = { id: 'a hash', userId, proof: '{}', accessRevision: 0, ...times }
  await app.db.insertInto('termsChallenge').values(waiting).execute()
  const trusted = { id: 'trusted', userId, key: 'a hash', lastUsedAt: app.now(), ...times }
  await app.db.insertInto('trustedDevice').values(trusted).execute()
  const reset = { requestedBy: 'user', factors: 'totp', cancelKey: 'a hash', effectiveAt: later, createdAt: app.now() }
  await app.db
    .insertInto('factorReset')
    .values({ id: 'reset', userId, ...reset })
    .execute()
  const account = { id: 'linked', userId, providerId: 'github', accountId: '1', createdAt: app.now(), updatedAt: app.now() }
  const tokens = { accessToken: 'sealed', refreshToken: 'sealed', idToken: 'sealed' }
  await app.db
    .insertInto('account')
    .values({ ...account, ...tokens })
    .execute()
  return kit
}

describe('a lock', () => {
  test('ends each of them, and the preview counts the same', async () => {
    const { app, ada, uma, join } = await withAccess()
    const eve = await join('Eve')
    for (const [name, countOf] of Object.entries(ended)) expect([name, await countOf(app, uma.userId)]).not.toEqual([name, 0])
    const { ends } = (await ada.browser.call('GET /admin/user-lock', { query: { userId: uma.userId } })).body
    expect(ends).toEqual({
      sessions: 1,
      apiKeys: 1,
      linksAndCodes: ownPurposes.length + 1,
      linkedAccounts: 1,
      trustedBrowsers: 1,
    })
    expect((await lockAccount(app, null, { userId: uma.userId })).ended).toEqual(ends)
    for (const [name, countOf] of Object.entries(ended)) expect([name, await countOf(app, uma.userId)]).toEqual([name, 0])
    expect(await findVerification(app, 'reset-password', 'token for reset-password')).toBeNull()
    expect(await ended.sessions?.(app, eve.userId)).toBe(1)
  })

  test('leaves social accounts linked, without their stored tokens', async () => {
    const { app, uma } = await withAccess()
    await lockAccount(app, null, { userId: uma.userId })
    expect(await app.db.selectFrom('account').select('providerId').where('id', '=', 'linked').execute()).toHaveLength(1)
  })

  test('ends impersonations of the user and by them', async () => {
    const { app, ada, uma, join } = await withAccess()
    const eve = await join('Eve', 'admin')
    await ada.browser.call('POST /admin/impersonate-user', { body: { userId: uma.userId } })
    await eve.browser.call('POST /admin/impersonate-user', { body: { userId: (await join('Ida')).userId } })
    for (const { userId } of [uma, eve]) await lockAccount(app, null, { userId })
    for (const { browser } of [ada, eve]) expect((await browser.call('GET /list-accounts', {})).status).toBe(401)
  })

  test('requires a new password once an operator has opened the account, which a thief may know', async () => {
    const { app, uma, signIn } = await withAccess()
    const { unlockAccount } = await import('./index.ts')
    await lockAccount(app, null, { userId: uma.userId })
    await unlockAccount(app, null, { userId: uma.userId })
    expect((await signIn(uma.email)).answer.body.code).toBe('PASSWORD_MUST_BE_REPLACED')
  })

  test('is part of its transaction: nothing ends when it fails', async () => {
    const { app, uma } = await withAccess()
    const fail = transaction(app, async (tx) => {
      await lockAccount(tx, null, { userId: uma.userId })
      throw new Error('planted')
    })
    await expect(fail).rejects.toThrow('planted')
    for (const [name, countOf] of Object.entries(ended)) expect([name, await countOf(app, uma.userId)]).not.toEqual([name, 0])
  })
})
