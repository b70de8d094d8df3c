// Also on servers: users are written in batches, with values of all types.
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

test.each<[written: string, hash: string, password: string]>([
  ['by Spring Security', '{bcrypt}$2a$10$1QQR6MmB/K2qpvTmm/Jqu.NXDeVWL2wWpk78cv6C.BsOc6Z2TAuJm', 'Quiet river 22'],
  [
    'by Lucia',
    's2:k3Jd9sLq0ZxV7mPa:14dae622bb21541836120f83e2688ff268fafc97ae82a89900233b007ba60b5d0bdfc58cb681af33aa220d7ed6674c55311039ee3a9977d86e242a9665ba297b',
    'gläcier-7-brücke',
  ],
])('a user with a hash %s signs in, and the hash is replaced', async (_, hash, password) => {
  const { app, browser } = await testApp()
  const run = importUsers(app, { dryRun: false })
  const line = { number: 1, text: text(hash) }
  expect(await run([line])).toMatchObject([{ outcome: 'created' }])
  expect(await run([line])).toMatchObject([{ outcome: 'unchanged' }])
  const signIn = (given: string) => browser().call('POST /sign-in/email', { body: { email: 'ann@example.com', password: given } })
  expect([(await signIn('another password')).status, (await signIn(password)).status]).toEqual([401, 200])
  await expect
    .poll(async () => (await app.db.selectFrom('account').select('password').executeTakeFirst())?.password)
    .toMatch(/^\$argon2id/)
  expect(await run([line])).toMatchObject([{ outcome: 'unchanged' }])
})

const salted = '{SSHA}TlN6tSTGTnsJ9PRGbUTIgH8m5H14w2IYNI0KJw=='
const phpass = '$P$BuT8kQz2clwzA75LSkOas3oCsQ9w6O0'

test.each([
  [salted, '{SSHA}'],
  [phpass, 'phpass'],
  ['{noop}flask-of-tea', 'plain text'],
])('the weak hash %s is rejected with its form and the switch, and nothing of its user is written', async (hash, form) => {
  const { app } = await testApp()
  const [outcome] = await importUsers(app, { dryRun: false })([{ number: 1, text: text(hash) }])
  expect(outcome).toMatchObject({ outcome: 'invalid', message: expect.stringContaining('--weak wrap') })
  expect(outcome?.message).toContain(form)
  expect(outcome?.message).not.toContain('flask-of-tea')
  expect(await app.db.selectFrom('user').select('id').execute()).toEqual([])
})

test.each([
  [salted, 'flask-of-tea', /^\$latchkey-wrap\$after-sha1,1\$.*\$argon2id\$/],
  [phpass, 'admin-of-2009', /^\$latchkey-wrap\$phpass-md5,8192\$.*\$argon2id\$/],
  ['{noop}flask-of-tea', 'flask-of-tea', /^\$argon2id\$/],
])('a user with the weak hash %s signs in after --weak wrap, and the hash is replaced', async (hash, password, stored) => {
  const { app, browser } = await testApp()
  const run = importUsers(app, { dryRun: false, weak: 'wrap' })
  const line = { number: 1, text: text(hash) }
  const read = async () => (await app.db.selectFrom('account').select('password').executeTakeFirst())?.password
  expect(await importUsers(app, { dryRun: true, weak: 'wrap' })([line])).toMatchObject([{ outcome: 'created' }])
  expect(await read()).toBeUndefined()
  expect(await run([line, { ...line, number: 2 }])).toMatchObject([{ outcome: 'created' }, { outcome: 'unchanged' }])
  expect(await read()).toMatch(stored)
  expect(await run([line])).toMatchObject([{ outcome: 'unchanged' }])
  const signIn = (given: string) => browser().call('POST /sign-in/email', { body: { email: 'ann@example.com', password: given } })
  expect([(await signIn('another password')).status, (await signIn(password)).status]).toEqual([401, 200])
  await expect.poll(read).toMatch(/^\$argon2id/)
  expect((await signIn(password)).status).toBe(200)
  expect(await run([line])).toMatchObject([{ outcome: 'unchanged' }])
})

test('--weak drop imports the user without a password', async () => {
  const { app } = await testApp()
  expect(await importUsers(app, { dryRun: false, weak: 'drop' })([{ number: 1, text: text(phpass) }])).toMatchObject([
    { outcome: 'created' },
  ])
  expect(await app.db.selectFrom('account').select('password').execute()).toEqual([{ password: null }])
})

test('weak hashes are wrapped for apps with a custom hash function too, unless they are marked as its own', async () => {
  const { app, browser } = await testApp(functions)
  const weak = text(salted)
  expect(await importUsers(app, { dryRun: false })([{ number: 1, text: weak }])).toMatchObject([{ outcome: 'invalid' }])
  const run = importUsers(app, { dryRun: false, weak: 'wrap' })
  expect(await run([{ number: 1, text: weak }])).toMatchObject([{ outcome: 'created' }])
  const signIn = { email: 'ann@example.com', password: 'flask-of-tea' }
  expect((await browser().call('POST /sign-in/email', { body: signIn })).status).toBe(200)
  const marked = text(`$custom$${phpass}`).replace('ann', 'bob')
  expect(await importUsers(app, { dryRun: false })([{ number: 1, text: marked }])).toMatchObject([{ outcome: 'created' }])
})

test('many weak hashes in one batch are all hashed', async () => {
  const { app } = await testApp()
  const lines = Array.from({ length: 100 }, (_, number) => ({ number, text: text(salted).replace('ann', `ann${number}`) }))
  const outcomes = await importUsers(app, { dryRun: false, weak: 'wrap' })(lines)
  expect(outcomes.filter(({ outcome }) => outcome === 'created')).toHaveLength(100)
})

test('a placeholder address is imported as an export writes it, but never as verified', async () => {
  const { app } = await testApp()
  const run = importUsers(app, { dryRun: false })
  const line = (emailVerified: boolean) => JSON.stringify({ user: { email: 'reddit-x7@users.latchkey.invalid', emailVerified } })
  expect(await run([{ number: 1, text: line(true) }])).toMatchObject([
    { outcome: 'invalid', message: expect.stringContaining('emailVerified') },
  ])
  expect(await run([{ number: 1, text: line(false) }])).toMatchObject([{ outcome: 'created' }])
})

test('a mark of Django for no password imports a user without one', async () => {
  const { app } = await testApp()
  const line = { number: 1, text: text('!kPzqLr8xT3mVbN6cYw1sDf5gHj7kLq9ZxC2vB4nM') }
  expect(await importUsers(app, { dryRun: false })([line])).toMatchObject([{ outcome: 'created' }])
  expect(await app.db.selectFrom('account').select('password').execute()).toEqual([{ password: null }])
})

test.each<[emailVerified: unknown, createdAt: unknown]>([
  [1, '2024-01-31 12:00:00'],
  ['1', '2024-01-31 12:00:00.000000'],
  ['true', 1_706_702_400],
  ['TRUE', 1_706_702_400_000],
  ['t', '1706702400000'],
  [true, '1706702400'],
  [true, '2024-01-31T12:00:00'],
  [true, '2024-01-31 12:00:00+00'],
  [true, '2024-01-31 07:00:00.000000-05'],
  [true, '2024-01-31 17:30:00+05:30'],
  [true, '2024-01-31 12:00:00 UTC'],
  [true, '2024-01-31T13:00:00+01:00'],
])('reads %j as verified, and %j as a time', async (emailVerified, createdAt) => {
  const { app } = await testApp()
  const line = JSON.stringify({ user: { email: 'ann@example.com', emailVerified, createdAt } })
  expect(await importUsers(app, { dryRun: false })([{ number: 1, text: line }])).toMatchObject([{ outcome: 'created' }])
  expect(await app.db.selectFrom('user').select(['emailVerified', 'createdAt']).execute()).toEqual([
    { emailVerified: true, createdAt: new Date('2024-01-31T12:00:00Z') },
  ])
})

test.each([
  ['emailVerified', 2],
  ['emailVerified', 'yes'],
  ['createdAt', '0000-00-00 00:00:00'],
  ['createdAt', '2024-02-30 00:00:00'],
  ['createdAt', -1],
  ['createdAt', '2024'],
  ['createdAt', '31.01.2024'],
  ['createdAt', '2024-01-31 25:00:00+00'],
  ['createdAt', 253_402_300_800_000],
  ['createdAt', '0999-12-31T23:59:59Z'],
])('rejects %s: %j', async (name, value) => {
  const { app } = await testApp()
  const line = JSON.stringify({ user: { email: 'ann@example.com', [name]: value } })
  const [outcome] = await importUsers(app, { dryRun: true })([{ number: 1, text: line }])
  expect(outcome).toMatchObject({ outcome: 'invalid', message: expect.stringContaining(`user.${name}: `) })
})

test('reads roles as lists, and an unknown one makes only its own line invalid', async () => {
  const { app } = await testApp({ admin: true, seed: { roles: { support: { user: ['list'] } } } })
  const roles = ['user, support', ['user', 'support'], 'nope,user', '', null, undefined]
  const lines = roles.map((role, number) => ({
    number,
    text: JSON.stringify({ user: { email: `ann${number}@example.com`, role } }),
  }))
  const outcomes = await importUsers(app, { dryRun: false })(lines)
  const expected = ['created', 'created', 'invalid', 'invalid', 'created', 'created']
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(expected)
  expect(outcomes[2]?.message).toBe('user.role: unknown role "nope"')
  const stored = await app.db.selectFrom('user').select('role').orderBy('email').execute()
  expect(stored.map(({ role }) => role)).toEqual(['user,support', 'user,support', null, null])
})

test.each(['javascript:alert(1)', 'data:text/html,x'])('rejects the picture %s', async (image) => {
  const { app } = await testApp()
  const line = JSON.stringify({ user: { email: 'ann@example.com', image } })
  expect(await importUsers(app, { dryRun: false })([{ number: 1, text: line }])).toMatchObject([{ outcome: 'invalid' }])
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
