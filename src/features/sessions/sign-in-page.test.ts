import { expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { parseConfig } from '../../project/config/parse-config.ts'
import { type ConfigFile, featureList } from '../index.ts'

const issuesOf = (config: ConfigFile) => {
  const parsed = parseConfig(featureList, {
    ...{ secret: 'a secret of the tests, 0123456789 abcdefghij', environment: 'development' },
    ...{ baseURL: 'http://localhost:4000', database: { url: 'sqlite::memory:' }, emailAndPassword: { enabled: true } },
    ...config,
  })
  return 'issues' in parsed ? parsed.issues : []
}

test('the order of the sign-in page names enabled methods of existing users', () => {
  expect(issuesOf({ passkey: true, signIn: { order: ['passkey', 'password'] } })).toEqual([])
  const issue = (name: string) => ({
    id: 'sign-in-order',
    path: 'signIn.order',
    message: `signIn.order names "${name}", which is not an enabled sign-in method.`,
    hint: 'The enabled methods are password.',
  })
  expect(issuesOf({ signIn: { order: ['passkey', 'mail'] } })).toEqual([issue('passkey'), issue('mail')])
  // It signs in new users only.
  expect(issuesOf({ anonymous: true, signIn: { order: ['anonymous'] } })).toEqual([issue('anonymous')])
  expect(issuesOf({ signIn: { order: ['password', 'password'] } })).toMatchObject([
    { path: 'signIn.order', message: expect.stringContaining('each method once') },
  ])
})

test('pages know what the sign-in page is like', async () => {
  const signIn = { page: 'identifier-first' as const, order: ['password'], rememberAccount: true }
  const { browser } = await testApp({ signIn })
  expect((await browser().call('GET /public-settings', {})).body.signIn).toMatchObject(signIn)
})
