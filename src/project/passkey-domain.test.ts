/** What a daemon does not start with: a domain, or a list of related origins, that stored passkeys do not fit (contract 12 §1, §7). */
import { expect, test } from 'vitest'
import { testApp } from '../../tests/kit/app.ts'
import { createAuthenticator } from '../../tests/kit/authenticator.ts'
import { signUp } from '../../tests/kit/members.ts'
import { checkPasskeyDomain, checkPasskeyOrigins, settlePasskeyOrigins } from './daemon-checks.ts'

const stranded = { code: 'PASSKEYS_STRANDED', exitCode: 5 }

test('passkeys of a former domain are counted before a daemon gives them up', async () => {
  const kit = await testApp({ passkey: true })
  const { browser: ann } = await signUp(kit, 'Ann')
  const check = (acknowledge: readonly string[] = []) =>
    checkPasskeyDomain({ app: kit.app, database: { db: kit.app.db } } as never, acknowledge)
  await check()
  for (const device of [createAuthenticator(), createAuthenticator()]) {
    const { body } = await ann.call('GET /passkey/generate-register-options', { query: {} })
    await ann.call('POST /passkey/verify-registration', { body: { response: { ...device.create(body) } } })
  }
  await check()
  await kit.app.db.updateTable('passkey').set({ rpID: 'former.example' }).execute()
  await expect(check()).rejects.toMatchObject({
    ...stranded,
    message: '2 passkeys of former.example cannot be used on localhost',
    hint: expect.stringContaining('--acknowledge passkeys-stranded'),
  })
  await check(['passkeys-stranded'])
  // As soon as one belongs to the domain, it is the right one: the others may have been imported.
  const one = await kit.app.db.selectFrom('passkey').select('id').executeTakeFirstOrThrow()
  await kit.app.db.updateTable('passkey').set({ rpID: 'localhost' }).where('id', '=', one.id).execute()
  await check()
})

test('an origin on which passkeys were used last is removed from the configuration once it is acknowledged', async () => {
  const shop = 'https://acme-shop.example'
  const kit = await testApp({ passkey: { relatedOrigins: [shop] } })
  const { browser: ann } = await signUp(kit, 'Ann')
  const { body } = await ann.call('GET /passkey/generate-register-options', { query: {} })
  const device = createAuthenticator()
  await ann.call('POST /passkey/verify-registration', { body: { response: { ...device.create(body, { origin: shop }) } } })
  const { app } = kit
  const opened = (relatedOrigins: readonly string[]) => {
    const config = { ...app.config, passkey: { ...app.config.passkey, relatedOrigins } }
    return { app: { ...app, config }, database: { db: app.db } } as never
  }
  await checkPasskeyOrigins(opened([shop]), [])
  await expect(checkPasskeyOrigins(opened([]), [])).rejects.toMatchObject({
    ...{ code: 'PASSKEY_ORIGIN_REMOVED', exitCode: 5 },
    message: `1 passkey was last used on ${shop}, which is no longer in passkey.relatedOrigins`,
    hint: expect.stringContaining('--acknowledge passkey-origin-removed'),
  })
  // `start --check` writes nothing.
  await checkPasskeyOrigins(opened([]), ['passkey-origin-removed'])
  await settlePasskeyOrigins(opened([]), [])
  await expect(checkPasskeyOrigins(opened([]), [])).rejects.toThrow()
  await settlePasskeyOrigins(opened([]), ['passkey-origin-removed'])
  await checkPasskeyOrigins(opened([]), [])
})

test('a passkey that was used on its own domain since does not ask for anything', async () => {
  const shop = 'https://acme-shop.example'
  const kit = await testApp({ passkey: { relatedOrigins: [shop] } })
  const { browser: ann } = await signUp(kit, 'Ann')
  const { body } = await ann.call('GET /passkey/generate-register-options', { query: {} })
  const device = createAuthenticator()
  await ann.call('POST /passkey/verify-registration', { body: { response: { ...device.create(body) } } })
  const origins = async () => (await kit.app.db.selectFrom('passkey').select('relatedOrigin').execute())[0]?.relatedOrigin
  for (const [origin, expected] of [
    [shop, shop],
    ['http://localhost:3000', null],
  ] as const) {
    const { body: options } = await ann.call('POST /passkey/generate-authenticate-options', {})
    const response = { ...device.get(options, { origin }) }
    expect((await ann.call('POST /passkey/verify-authentication', { body: { response } })).status).toBe(200)
    expect(await origins()).toBe(expected)
  }
})
