import { expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import type { ConfigFile } from '../index.ts'
import { importUsers } from './index.ts'

const functions: ConfigFile = {
  emailAndPassword: {
    enabled: true,
    password: { hash: (password) => `+${password}`, verify: ({ hash, password }) => hash === `+${password}` },
  },
}
const text = (password: string) =>
  JSON.stringify({ user: { email: 'ann@example.com' }, accounts: [{ providerId: 'credential', password }] })

test.each(['+a password', '$custom$+a password'])('%s: imports a hash of the custom hash function', async (hash) => {
  const { app, browser } = await testApp(functions)
  const run = importUsers(app, { dryRun: false })
  expect(await run([{ number: 1, text: text(hash) }])).toMatchObject([{ outcome: 'created' }])
  const signIn = () => browser().call('POST /sign-in/email', { body: { email: 'ann@example.com', password: 'a password' } })
  expect((await signIn()).status).toBe(200)
  expect(await run([{ number: 1, text: text(hash) }])).toMatchObject([{ outcome: 'unchanged' }])
  const empty = text('').replace('ann', 'bob')
  expect(await run([{ number: 1, text: empty }])).toMatchObject([{ outcome: 'invalid' }])
})

test.each([{ name: 'a\ud800' }, { tags: ['a\ud800'] }])('rejects a line with half of a surrogate pair: %j', async (columns) => {
  const { app } = await testApp({ user: { additionalFields: { tags: { type: 'string[]', required: false } } } })
  const line = JSON.stringify({ user: { email: 'ann@example.com', ...columns } })
  expect(await importUsers(app, { dryRun: false })([{ number: 1, text: line }])).toMatchObject([{ outcome: 'invalid' }])
})

test('rejects a hash of an unknown scheme without a custom hash function', async () => {
  const { app } = await testApp()
  const run = importUsers(app, { dryRun: false })
  expect(await run([{ number: 1, text: text('$custom$+a password') }])).toMatchObject([{ outcome: 'invalid' }])
})

test.each<[line: object, message: string]>([
  [{ user: { email: 'ann@example.com', emial: 'x' } }, 'user: Unknown member "emial". Did you mean `email`?'],
  [
    { user: { email: 'ann@example.com', zzzzzzzz: 1, nam: 1 } },
    'user: Unknown member "zzzzzzzz"; Unknown member "nam". Did you mean `name`?',
  ],
  [{ usr: 1, user: { email: 'ann@example.com' } }, 'Unknown member "usr". Did you mean `user`?'],
  [
    { user: { email: 'ann@example.com' }, accounts: [{ providerId: 'credential', pasword: 'x' }] },
    'accounts.0: Unknown member "pasword". Did you mean `password`?',
  ],
  [{ user: { email: 'ann@example.com', name: 3 } }, 'user.name: Expected string, received number'],
  [{ user: {} }, 'user.email: Expected string, received undefined'],
  [{}, 'user: Expected object, received undefined'],
])('reports %j in plain words', async (line, message) => {
  const { app } = await testApp()
  const outcomes = await importUsers(app, { dryRun: true })([{ number: 1, text: JSON.stringify(line) }])
  expect(outcomes).toMatchObject([{ outcome: 'invalid', message }])
})
