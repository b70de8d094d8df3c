/** The counter of changes to the sign-in methods of a user: written with each change, and never returned. */
// Also on servers: a statement adds to the stored value.
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { transaction } from '../../core/transaction.ts'
import { changePassword } from '../accounts/index.ts'
import { exportUsers, importUsers } from '../transfer/index.ts'
import { describeUserRecord, findUserById, lockUser } from './index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const newPassword = 'another horse entirely'

async function withAnn(config = {}) {
  const kit = await testApp({ openAPI: true, ...config })
  const visitor = kit.browser()
  const { body } = await visitor.call('POST /sign-up/email', { body: ann })
  const userId: string = body.user.id
  const revision = async () => (await findUserById(kit.app, userId))?.accessRevision
  return { ...kit, visitor, userId, revision }
}

describe('accessRevision', () => {
  test('grows when a user is locked, also if nothing else changes', async () => {
    const { app, userId, revision } = await withAnn()
    expect(await revision()).toBe(0)
    expect(await transaction(app, (inner) => lockUser(inner, userId))).toBe(true)
    expect(await transaction(app, (inner) => lockUser(inner, 'unknown'))).toBe(false)
    expect(await revision()).toBe(1)
  })

  test('grows when a password is set and when an account is unlinked', async () => {
    const { app, clock, userId, visitor, revision } = await withAnn()
    await visitor.call('POST /change-password', { body: { currentPassword: ann.password, newPassword } })
    expect(await revision()).toBe(1)
    const at = clock.now()
    const account = { id: 'row-github', providerId: 'github', accountId: '7', userId, createdAt: at, updatedAt: at }
    await app.db.insertInto('account').values(account).execute()
    await visitor.call('POST /unlink-account', { body: { providerId: 'github' } })
    expect(await revision()).toBe(2)
  })

  test('stays when a user is renamed or a password change fails', async () => {
    const { app, userId, visitor, revision } = await withAnn()
    await visitor.call('POST /update-user', { body: { name: 'Anna' } })
    const passwordHash = await app.hasher.hash(newPassword)
    expect(await changePassword(app, userId, { passwordHash, by: 'session', replacing: 'another' })).toBeNull()
    expect(await revision()).toBe(0)
  })

  test('is in no response, cookie, mail, document, export or function of the configuration', async () => {
    const seen: unknown[] = []
    const keep = (value: object) => void seen.push(value)
    const watch = { create: { before: keep, after: keep }, update: { before: keep, after: keep } }
    const mails = captureMails<object>()
    const { app, visitor, userId } = await withAnn({
      session: { cookieCache: { enabled: true } },
      databaseHooks: { user: watch, account: watch, session: watch, verification: watch },
      emailVerification: { sendVerificationEmail: mails.send, sendOnSignUp: true, onEmailVerification: keep },
      user: { deleteUser: { enabled: true, beforeDelete: keep, afterDelete: keep } },
    })
    const mail = Object(await mails.next())
    const user = await findUserById(app, userId)
    seen.push(mail, visitor.cookies.get('latchkey.session_data'))
    const lines = await Array.fromAsync(exportUsers(app, { withPasswordHashes: true }))
    seen.push(describeUserRecord(app, user ?? {}), ...lines)
    const { token } = Object(mail)
    const answers = [
      await visitor.call('GET /get-session', {}),
      await visitor.call('POST /change-password', {
        body: { currentPassword: ann.password, newPassword, revokeOtherSessions: true },
      }),
      await visitor.call('GET /verify-email', { query: { token } }),
      await visitor.call('POST /sign-in/email', { body: { email: ann.email, password: newPassword } }),
      await visitor.call('GET /list-accounts', {}),
      await visitor.call('GET /open-api/generate-schema', {}),
      await visitor.call('POST /delete-user', { body: {} }),
    ]
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    seen.push(...answers.map(({ body }) => body))
    const texts = seen.map((value) => JSON.stringify(value) ?? '')
    expect(texts.length).toBeGreaterThan(15)
    expect(texts.filter((text) => /revision/i.test(text))).toEqual([])
    const cookie = Buffer.from(decodeURIComponent(String(seen[seen.indexOf(mail) + 1])), 'base64url').toString()
    expect(cookie).toContain(ann.email)
    expect(cookie).not.toMatch(/revision/i)
  })

  test('cannot be set by an import file or a hook', async () => {
    const { app } = await testApp()
    const line = (user: object, number: number) => ({ number, text: JSON.stringify({ user }) })
    const read = importUsers(app, { dryRun: false })
    const [rejected, made] = await read([
      line({ email: 'bob@example.com', accessRevision: 7 }, 1),
      line({ email: 'eve@example.com' }, 2),
    ])
    expect([rejected?.outcome, made?.outcome]).toEqual(['invalid', 'created'])
    const before = (data: object) => ({ data: { ...data, accessRevision: 7 } })
    const hooked = await withAnn({ databaseHooks: { user: { create: { before }, update: { before } } } })
    await hooked.visitor.call('POST /update-user', { body: { name: 'Anna' } })
    expect(await hooked.revision()).toBe(0)
    expect((await app.db.selectFrom('user').select('accessRevision').execute()).map((user) => user.accessRevision)).toEqual([0])
  })
})
