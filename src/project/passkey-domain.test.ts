/** A daemon does not start when none of the stored passkeys belongs to its domain (contract 12 §1). */
import { expect, test } from 'vitest'
import { testApp } from '../../tests/kit/app.ts'
import { createAuthenticator } from '../../tests/kit/authenticator.ts'
import { signUp } from '../../tests/kit/members.ts'
import { checkPasskeyDomain } from './daemon-checks.ts'

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
