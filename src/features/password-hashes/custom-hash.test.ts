import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import type { App } from '../../core/app.ts'
import type { ConfigFile } from '../index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const newPassword = 'another horse entirely'
const scrypt =
  '00112233445566778899aabbccddeeff:752487a9705449a0ea89a9896b272c8b165de88ba8fb2f1aefce908b9187a65024435b92fc8deac3a5316dfebab68a262104481f8f67364c36d49caac6f6eff2'
const reversed = (text: string) => [...text].reverse().join('')

/** A daemon whose hash function reverses passwords, and which lists the calls of its functions. */
async function daemon(more: ConfigFile['emailAndPassword'] = {}, config: ConfigFile = {}) {
  const calls: string[] = []
  const fault: { error: Error | null } = { error: null }
  const note = (operation: string) => {
    if (fault.error) throw fault.error
    calls.push(operation)
  }
  const kit = await testApp({
    ...config,
    emailAndPassword: {
      enabled: true,
      password: {
        hash: async (password) => {
          note('hash')
          return reversed(password)
        },
        verify: async ({ hash, password }) => {
          note('verify')
          return hash === reversed(password)
        },
      },
      ...more,
    },
  })
  const signIn = (password: string, email = ann.email) => kit.browser().call('POST /sign-in/email', { body: { email, password } })
  const work = () => calls.splice(0)
  return { ...kit, signIn, work, fault }
}
const storedOf = async ({ db }: App) => (await db.selectFrom('account').select('password').executeTakeFirstOrThrow()).password
const store = ({ db }: App, password: string) => db.updateTable('account').set({ password }).execute()
const countRows = async ({ db }: App) =>
  (await db.selectFrom('user').select('id').execute()).length + (await db.selectFrom('account').select('id').execute()).length

describe('custom hash functions', () => {
  test('hash and verify a password wherever it is set and checked', async () => {
    const mails = captureMails()
    const { app, browser, signIn, work } = await daemon({ sendResetPassword: mails.send })
    const visitor = browser()
    expect((await visitor.call('POST /sign-up/email', { body: ann })).status).toBe(200)
    expect(await storedOf(app)).toBe(`$custom$${reversed(ann.password)}`)
    expect((await signIn(ann.password)).status).toBe(200)
    const body = { currentPassword: ann.password, newPassword }
    expect((await visitor.call('POST /change-password', { body })).status).toBe(200)
    expect(await storedOf(app)).toBe(`$custom$${reversed(newPassword)}`)
    expect((await visitor.call('POST /verify-password', { body: { password: newPassword } })).status).toBe(200)
    await browser().call('POST /request-password-reset', { body: { email: ann.email } })
    const { token } = await mails.next()
    expect((await browser().call('POST /reset-password', { body: { token, newPassword: ann.password } })).status).toBe(200)
    expect((await signIn(ann.password)).status).toBe(200)
    expect((await signIn(newPassword)).status).toBe(401)
    expect(work().length).toBeGreaterThan(6)
  })

  test('get a normalized password within the length limits', async () => {
    const { app, browser, signIn, work } = await daemon()
    const short = await browser().call('POST /sign-up/email', { body: { ...ann, password: 'short' } })
    expect([short.body.code, work()]).toEqual(['PASSWORD_TOO_SHORT', []])
    await browser().call('POST /sign-up/email', { body: { ...ann, password: 'pässWord1ﬁ' } })
    expect(await storedOf(app)).toBe(`$custom$${reversed('pässWord1fi')}`)
    expect((await signIn('pässWord1fi'.normalize('NFD'))).status).toBe(200)
  })

  test.each([
    ['argon2id', async () => (await testApp()).app.hasher.hash(ann.password), ann.password],
    ['the reference', async () => scrypt, 'pässWord1'],
    ['a custom scheme, imported', async () => reversed(ann.password), ann.password],
  ])('a hash of %s stays valid and is replaced by a custom one', async (_, make, password) => {
    const { app, browser, signIn } = await daemon()
    await browser().call('POST /sign-up/email', { body: ann })
    const stored = await make()
    await store(app, stored)
    expect((await signIn('a wrong password')).status).toBe(401)
    expect(await storedOf(app)).toBe(stored)
    expect((await signIn(password)).status).toBe(200)
    expect(await storedOf(app)).toBe(`$custom$${reversed(password)}`)
    expect((await signIn(password)).status).toBe(200)
  })

  test('do the same work for a failed check whatever is stored, and when there is no account', async () => {
    const { app, browser, signIn, work } = await daemon()
    await browser().call('POST /sign-up/email', { body: ann })
    const argon = await (await testApp()).app.hasher.hash('x')
    await signIn('a wrong password')
    work()
    for (const stored of [`$custom$${reversed(ann.password)}`, 'custom, imported', argon, scrypt]) {
      await store(app, stored)
      for (const email of [ann.email, 'unknown@example.com']) {
        expect((await signIn('a wrong password', email)).status).toBe(401)
        expect(work(), `${email} ${stored}`).toEqual(['verify'])
      }
      expect((await signIn('a'.repeat(5000))).status).toBe(401)
      expect(work()).toEqual(['verify'])
    }
  })

  test('make the decoy once, before the first comparison', async () => {
    const { browser, signIn, work } = await daemon()
    await browser().call('POST /sign-up/email', { body: ann })
    expect(work()).toEqual(['hash'])
    await signIn(ann.password)
    expect(work()).toEqual(['hash', 'verify'])
    await signIn('a wrong password', 'unknown@example.com')
    expect(work()).toEqual(['verify'])
  })

  test('respond 500 with the logged request id and write nothing when they throw', async () => {
    const mails = captureMails()
    const { app, browser, signIn, fault, log } = await daemon({ sendResetPassword: mails.send })
    const visitor = browser()
    await visitor.call('POST /sign-up/email', { body: ann })
    await browser().call('POST /request-password-reset', { body: { email: ann.email } })
    const { token } = await mails.next()
    const [stored, rows] = [await storedOf(app), await countRows(app)]
    const sessions = await app.db.selectFrom('session').selectAll().execute()
    fault.error = new Error('the vault is unavailable')
    const responses = [
      await browser().call('POST /sign-up/email', { body: { ...ann, email: 'bob@example.com' } }),
      await signIn(ann.password),
      await signIn(ann.password, 'unknown@example.com'),
      await visitor.call('POST /change-password', { body: { currentPassword: ann.password, newPassword } }),
      await browser().call('POST /reset-password', { body: { token, newPassword } }),
    ]
    for (const { status, body, headers, setCookie } of responses) {
      expect([status, body, setCookie]).toEqual([500, { code: 'INTERNAL_SERVER_ERROR', message: 'Internal Server Error' }, []])
      const id = `"requestId":"${headers.get('x-request-id')}"`
      expect(log.some((line) => line.includes(id) && line.includes('the vault is unavailable'))).toBe(true)
    }
    expect([await storedOf(app), await countRows(app)]).toEqual([stored, rows])
    expect(await app.db.selectFrom('session').selectAll().execute()).toEqual(sessions)
    fault.error = null
    expect((await browser().call('POST /reset-password', { body: { token, newPassword } })).status).toBe(200)
  })

  test('are needed to verify the hashes that they made', async () => {
    const { app, browser } = await testApp()
    await browser().call('POST /sign-up/email', { body: ann })
    await store(app, `$custom$${reversed(ann.password)}`)
    expect((await browser().call('POST /sign-in/email', { body: ann })).status).toBe(401)
  })
})
