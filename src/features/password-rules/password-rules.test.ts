import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import type { ConfigFile } from '../index.ts'
import { createSetupLink } from '../setup/setup-link.ts'

const compromised = {
  code: 'PASSWORD_COMPROMISED',
  message: 'The password you entered has been compromised. Please choose a different password.',
}
const tooPersonal = {
  code: 'PASSWORD_TOO_PERSONAL',
  message: 'The password is made of words about you or this site. Please choose a different password.',
}

async function daemon(passwordRules: ConfigFile['passwordRules'] = true, config: ConfigFile = {}) {
  const kit = await testApp({ appName: 'Blue Heron', baseURL: 'https://accounts.heronworks.example', passwordRules, ...config })
  const signUp = (password: string, email = 'annabel.smith@example.com') =>
    kit.browser().call('POST /sign-up/email', { body: { name: 'Annabel Smith', email, password } })
  return { ...kit, signUp }
}

describe('sign-up', () => {
  test.each(['password1', 'Iloveyou!', 'qwertyuiop'])('rejects "%s" from the list', async (password) => {
    const { app, signUp } = await daemon()
    const response = await signUp(password)
    expect([response.status, response.statusText, response.body]).toEqual([400, 'BAD_REQUEST', compromised])
    expect(await app.db.selectFrom('user').selectAll().execute()).toEqual([])
  })

  test.each([
    ['the name', 'AnnabelSmith1'],
    ['a part of the address', 'annabel.smith'],
    ['the name of the site', 'blue heron 24'],
    ['the name of the site in one word', 'BlueHeron2026!'],
    ['the host', 'heronworks123'],
    ['several of them', 'Annabel@heronworks'],
  ])('rejects %s: "%s"', async (_, password) => {
    const { signUp } = await daemon()
    const response = await signUp(password)
    expect([response.status, response.body]).toEqual([400, tooPersonal])
  })

  test.each(['correct horse battery', 'annabel likes herons', 'smith and the seven sons'])('accepts "%s"', async (password) => {
    const { signUp } = await daemon()
    expect((await signUp(password)).status).toBe(200)
  })

  test('ignores short names, which are part of too many words', async () => {
    const { browser } = await daemon()
    const body = { name: 'Ann', email: 'al@example.com', password: 'annals of al' }
    expect((await browser().call('POST /sign-up/email', { body })).status).toBe(200)
  })

  test('checks nothing without the section, and no rule that is off', async () => {
    for (const rules of [false, undefined, { blockCommon: false, contextWords: false }] as const) {
      const { signUp } = await daemon(rules ?? false)
      expect((await signUp('password1')).status).toBe(200)
      expect((await signUp('heronworks123', 'annabel.jones@example.com')).status).toBe(200)
    }
    expect((await (await daemon({ blockCommon: false })).signUp('password1')).status).toBe(200)
    expect((await (await daemon({ contextWords: false })).signUp('heronworks123')).status).toBe(200)
  })

  test('rejects for the length first, then for an existing email address, then for the password', async () => {
    const { signUp } = await daemon()
    await signUp('correct horse battery')
    expect((await signUp('annabel')).body.code).toBe('PASSWORD_TOO_SHORT')
    expect((await signUp('password1')).body.code).toBe('USER_ALREADY_EXISTS')
    expect((await signUp('password1', 'bob@example.com')).body).toEqual(compromised)
  })
})

describe('a setup link', () => {
  test('checks the same rules and stays usable', async () => {
    const { app, browser, signUp } = await daemon()
    await signUp('correct horse battery')
    const { id } = await app.db.selectFrom('user').select('id').executeTakeFirstOrThrow()
    const token = new URL(await createSetupLink(app, id)).searchParams.get('token') ?? ''
    const setUp = async (newPassword: string) => browser().call('POST /set-up', { body: { token, newPassword } })
    expect((await setUp('password1')).body).toEqual(compromised)
    expect((await setUp('annabelsmith')).body).toEqual(tooPersonal)
    expect((await setUp('another horse battery')).status).toBe(200)
  })

  test('shows the reason on the page', async () => {
    const { app, browser, signUp } = await daemon()
    await signUp('correct horse battery')
    const { id } = await app.db.selectFrom('user').select('id').executeTakeFirstOrThrow()
    const token = new URL(await createSetupLink(app, id)).searchParams.get('token') ?? ''
    const headers = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' }
    const response = await browser().request('/set-up', { method: 'POST', headers, body: `token=${token}&newPassword=password1` })
    expect(response.body).toContain('has been compromised. Please choose a different password.</p>')
  })
})

test('accepts a password from before the rules at sign-in', async () => {
  const { app, browser } = await daemon()
  const now = app.now()
  await app.db
    .insertInto('user')
    .values({ id: 'u1', name: 'Bob', email: 'bob@example.com', createdAt: now, updatedAt: now })
    .execute()
  const account = { id: 'a1', accountId: 'u1', providerId: 'credential', userId: 'u1', createdAt: now, updatedAt: now }
  await app.db
    .insertInto('account')
    .values({ ...account, password: await app.hasher.hash('password1') })
    .execute()
  const response = await browser().call('POST /sign-in/email', { body: { email: 'bob@example.com', password: 'password1' } })
  expect(response.status).toBe(200)
})

describe('a password that is not well-formed Unicode', () => {
  const strange = 'correct \ud800 horse battery'
  const invalid = (parameter: string) => ({
    code: 'VALIDATION_ERROR',
    message: 'Invalid body parameters',
    details: { parameters: [parameter] },
  })

  test.each([[true], [false]])('cannot be set, because others would match it (passwordRules: %s)', async (passwordRules) => {
    const visitor = (await testApp({ passwordRules })).browser()
    const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
    const response = await visitor.call('POST /sign-up/email', { body: { ...ann, password: strange } })
    expect([response.status, response.body]).toEqual([400, invalid('password')])
    await visitor.call('POST /sign-up/email', { body: ann })
    const change = { currentPassword: ann.password, newPassword: strange }
    expect((await visitor.call('POST /change-password', { body: change })).body).toEqual(invalid('newPassword'))
  })
})
