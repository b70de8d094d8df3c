/**
 * No call reveals who has an account (ASVS 6.3.8): calls for known and unknown email addresses, usernames and phone numbers have the
 * same response and take the same database statements.
 */
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { App } from '../../src/core/app.ts'
import { resolveSchema } from '../../src/core/route.ts'
import { mergeTables } from '../../src/core/table.ts'
import { type ConfigFile, featureList } from '../../src/features/index.ts'
import { refusal } from '../../src/index.ts'
import { type TestApp, testApp } from '../kit/app.ts'
import type { Answer } from '../kit/browser.ts'
import { recordStatements } from '../kit/statements.ts'

const password = 'correct horse battery'
/** As long as each other, because the length of a response may depend on what was sent. */
const emails = { first: 'fay@example.com', known: 'ann@example.com', unknown: 'una@example.com' }
type Kind = keyof typeof emails
const kinds = ['first', 'known', 'unknown'] as const
/** The signed-in users that send these email addresses: one each, because emails count for their recipient. */
const callerOf = (kind: Kind) => `cat-${emails[kind]}`

const quiet: ConfigFile = {
  emailAndPassword: { enabled: true, requireEmailVerification: true, antiEnumeration: true },
  user: { changeEmail: { enabled: true } },
  // Two windows: within the first calls the emails run out.
  mailLimit: { enabled: true, max: 2 },
}
const caught: ConfigFile = { mail: { from: 'Acme <a@example.com>', catch: true } }
const sent: ConfigFile = {
  emailAndPassword: { ...quiet.emailAndPassword, sendResetPassword: () => {} },
  emailVerification: { sendVerificationEmail: () => {} },
  user: { changeEmail: { enabled: true, sendChangeEmailVerification: () => {} } },
}

interface Scenario {
  readonly name: string
  readonly config?: ConfigFile
  /** Of the user with the known email address, and of the signed-in caller. Default: verified. */
  readonly verified?: { readonly known?: boolean; readonly caller?: boolean }
  readonly body: (email: string) => object
  /** Status of all responses. Default: 200. */
  readonly status?: number
  /** Calls for each email address. Default: more than its limit of emails. */
  readonly repeats?: number
  /** Anonymous calls for all email addresses. */
  readonly before?: readonly (readonly [
    (
      | 'POST /send-verification-email'
      | 'POST /sign-up/email'
      | 'POST /phone-number/send-otp'
      | 'POST /passkey/sign-up'
      | 'POST /phone-number/forget-password'
      | 'POST /email-otp/send-verification-otp'
      | 'POST /email-otp/request-password-reset'
    ),
    Scenario['body'],
  ])[]
  readonly prepare?: (app: App) => Promise<unknown>
}

/** The hooks are for the calls under test, not for the users that exist before. */
let areHooksArmed = false

const refuseAll = () => false as const
const throwAll = () => {
  throw refusal({ status: 422, message: 'Not with this name' })
}
const signUp = (email: string) => ({ name: 'Una', email, password })
const signUpOnce = { body: signUp, repeats: 1 }

/** `fay`, `ann` or `una`. */
const nameOf = (email: string) => email.slice(0, 3)
const numberOf = (email: string) => `+49170000000${['fay', 'ann', 'una'].indexOf(nameOf(email)) + 1}`

/** Ann also has a username and a phone number. */
const named = (config: ConfigFile = {}, phoneNumberVerified = true): Pick<Scenario, 'config' | 'prepare'> => ({
  config: { ...{ username: true, phoneNumber: true, sms: { send: () => {} }, passwordRules: true }, ...config },
  prepare: ({ db }) =>
    db
      .updateTable('user')
      .set({ username: nameOf(emails.known), phoneNumber: numberOf(emails.known), phoneNumberVerified })
      .where('email', '=', emails.known)
      .execute(),
})
const counting: ConfigFile = { attempts: { enabled: true } }
const texting: ConfigFile = { smsLimit: { enabled: true } }

const byName = { body: (email: string) => ({ username: nameOf(email), password: 'wrong password' }), status: 401 }
const byNumber = { body: (email: string) => ({ phoneNumber: numberOf(email), password: 'wrong password' }), status: 401 }
const toNumber = { body: (email: string) => ({ phoneNumber: numberOf(email) }) }
const guess = { body: (email: string) => ({ ...toNumber.body(email), code: 'wrong' }), status: 400 }
const resetGuess = {
  body: (email: string) => ({ ...toNumber.body(email), otp: 'wrong', newPassword: 'another horse entirely' }),
  status: 400,
}

/** No one may sign up any more. The users of the test exist by then. */
const closed: Pick<Scenario, 'name' | 'prepare'> = {
  name: 'while sign-up is closed',
  prepare: async ({ features }) => {
    const rejects = () => ({ rejected: 'closed', setting: 'signUp.mode' })
    ;(features as { name: string; admitsSignUp: object }[]).push({ name: 'closed', admitsSignUp: { rejects } })
  },
}

/** No email address gets a code, or makes the browser offer a passkey, that another one does not. */
const passkeyScenarios: Readonly<Record<string, readonly Scenario[]>> = {
  'POST /passkey/sign-up': [
    { name: 'with built-in emails', config: { passkey: { signUp: true } }, body: (email) => ({ email, name: 'Una' }) },
    { ...closed, config: { passkey: { signUp: true } }, body: (email) => ({ email, name: 'Una' }) },
    {
      name: 'of an unverified user',
      config: { passkey: { signUp: true } },
      verified: { known: false },
      body: (email) => ({ email }),
    },
  ],
  'POST /passkey/verify-sign-up': [
    {
      name: 'with a wrong code',
      config: { passkey: { signUp: true } },
      before: [['POST /passkey/sign-up', (email) => ({ email })]],
      body: (email) => ({ email, otp: '00000' }),
      status: 400,
      repeats: 3,
    },
  ],
  'POST /passkey/generate-authenticate-options': [
    { name: 'without byEmail', config: { passkey: true }, body: (email) => ({ email }) },
  ],
}

const coding: ConfigFile = { emailOTP: { changeEmail: { enabled: true, verifyCurrentEmail: false } }, magicLink: true }
const isOfType = (type: 'sign-in' | 'email-verification' | 'forget-password') => (email: string) => ({ email, type })
const withoutSignUp: ConfigFile = { emailOTP: { disableSignUp: true }, magicLink: { disableSignUp: true } }
const toAddress = (email: string) => ({ email })
const codeGuess = (email: string) => ({ email, otp: '000000' })

/** A code that was sent, or not. */
function guessScenarios(body: Scenario['body'], type: Parameters<typeof isOfType>[0]): Scenario[] {
  return [
    { name: 'without a code', config: coding, body, status: 400 },
    {
      name: 'with a wrong code',
      config: { ...coding, ...counting },
      before: [['POST /email-otp/send-verification-otp', isOfType(type)]],
      body,
      status: 400,
      repeats: 3,
    },
  ]
}

const codeScenarios: Readonly<Record<string, readonly Scenario[]>> = {
  'POST /email-otp/send-verification-otp': (['sign-in', 'email-verification', 'forget-password'] as const).flatMap((type) => [
    { name: `for ${type}`, config: coding, body: isOfType(type) },
    { name: `for ${type}, unverified`, config: coding, verified: { known: false }, body: isOfType(type) },
    { name: `for ${type}, without sign-up`, config: withoutSignUp, body: isOfType(type) },
    { ...closed, name: `for ${type}, while sign-up is closed`, config: coding, body: isOfType(type) },
  ]),
  'POST /email-otp/request-password-reset': [{ name: 'of any user', config: coding, body: toAddress }],
  'POST /forget-password/email-otp': [{ name: 'of any user', config: coding, body: toAddress }],
  'POST /waiting-list/join': [
    {
      name: 'of any user',
      config: { signUp: { waitingList: { url: 'https://app.example.com/sign-up' } } },
      body: (email) => ({ email, name: 'Una' }),
    },
  ],
  'POST /sign-in/magic-link': [
    { name: 'with sign-up', config: coding, body: toAddress },
    { ...closed, config: coding, body: toAddress },
    { name: 'with one user for each mailbox', config: { ...coding, signUp: { oneMailbox: true } }, body: toAddress },
    { name: 'without sign-up', config: withoutSignUp, body: toAddress },
  ],
  'POST /sign-in/email-otp': guessScenarios(codeGuess, 'sign-in'),
  'POST /email-otp/verify-email': guessScenarios(codeGuess, 'email-verification'),
  'POST /email-otp/check-verification-otp': guessScenarios((email) => ({ ...codeGuess(email), type: 'sign-in' }), 'sign-in'),
  'POST /email-otp/reset-password': guessScenarios(
    (email) => ({ ...codeGuess(email), password: 'another horse entirely' }),
    'forget-password',
  ),
  'POST /email-otp/request-email-change': [{ name: 'of a user', config: coding, body: (newEmail) => ({ newEmail }) }],
  'POST /email-otp/change-email': [
    { name: 'without a code', config: coding, body: (newEmail) => ({ newEmail, otp: '000000' }), status: 400 },
  ],
}

const nameScenarios: Readonly<Record<string, readonly Scenario[]>> = {
  'POST /sign-in/username': [
    { name: 'with a wrong password', ...named(), ...byName },
    { name: 'with counted attempts', ...named(counting), ...byName },
    { name: 'of an unverified user', verified: { known: false }, ...named(), ...byName },
  ],
  'POST /sign-in/phone-number': [
    { name: 'with a wrong password', ...named(), ...byNumber },
    { name: 'with counted attempts', ...named(counting), ...byNumber },
    { name: 'of an unverified number', ...named({ phoneNumber: { requireVerification: true } }, false), ...byNumber },
  ],
  'POST /phone-number/send-otp': [
    { name: 'without a limit', ...named(), ...toNumber },
    { name: 'with limits', ...named(texting), ...toNumber, repeats: 1 },
  ],
  'POST /phone-number/verify': [
    { name: 'without a code', ...named(), ...guess },
    {
      name: 'with a wrong code',
      ...named(counting),
      before: [['POST /phone-number/send-otp', toNumber.body]],
      ...guess,
      repeats: 3,
    },
  ],
  'POST /phone-number/request-password-reset': numberResetScenarios(),
  'POST /phone-number/forget-password': numberResetScenarios(),
  'POST /phone-number/reset-password': [
    { name: 'without a code', ...named(), ...resetGuess },
    {
      name: 'with a wrong code',
      ...named(counting),
      before: [['POST /phone-number/forget-password', toNumber.body]],
      ...resetGuess,
      repeats: 3,
    },
  ],
}

function numberResetScenarios(): Scenario[] {
  return [
    { name: 'of a verified number', ...named(), ...toNumber },
    { name: 'of an unverified number', ...named({}, false), ...toNumber },
    { name: 'with limits', ...named(texting), ...toNumber, repeats: 1 },
    {
      name: 'of a country that gets no text messages',
      ...named({ sms: { send: () => {}, allowedPrefixes: ['+43'] } }),
      ...toNumber,
      status: 400,
    },
    {
      name: 'by a function that rejects',
      ...named({ phoneNumber: { sendPasswordResetOTP: () => Promise.reject(new Error('away')) } }),
      ...toNumber,
    },
  ]
}

/** Each call that takes an email address, in the situations in which it could reveal something. */
const scenarios: Readonly<Record<string, readonly Scenario[]>> = {
  'POST /sign-up/email': [
    { name: 'with built-in emails', ...signUpOnce },
    { ...closed, ...signUpOnce, status: 403 },
    { name: 'with one user for each mailbox', config: { signUp: { oneMailbox: true } }, ...signUpOnce },
    { name: 'with an own function for emails', config: sent, ...signUpOnce },
    { name: 'without any email', config: { mail: false }, ...signUpOnce },
    { name: 'with an unverified user', verified: { known: false }, ...signUpOnce },
    { name: 'with a callbackURL', body: (email) => ({ ...signUp(email), callbackURL: '/welcome' }), repeats: 1 },
    {
      name: 'when the verification emails are used up',
      before: Array(3).fill(['POST /send-verification-email', (email: string) => ({ email })]),
      ...signUpOnce,
    },
    { name: 'with a short password', body: (email) => ({ ...signUp(email), password: 'short' }), status: 400 },
    {
      name: 'with a password that breaks the rules',
      config: { passwordRules: true },
      body: (email) => ({ ...signUp(email), password: 'password1234567' }),
      status: 400,
    },
    ...(['user', 'account'] as const).flatMap((table) => [
      { name: `with a hook that rejects the ${table}`, config: hook(table, refuseAll), ...signUpOnce, status: 400 },
      { name: `with a hook that throws for the ${table}`, config: hook(table, throwAll), ...signUpOnce, status: 422 },
    ]),
    {
      name: 'with a hook that changes the user',
      config: hook('user', (row: object) => ({ data: { ...row, name: 'Changed', image: 'x' } })),
      ...signUpOnce,
    },
    {
      name: 'with a unique value that a hook sets and another user has',
      config: {
        user: { additionalFields: { badge: { type: 'string', unique: true, input: false, required: false } } },
        ...hook('user', (row: object) => ({ data: { ...row, badge: 'B1' } })),
      },
      prepare: ({ db }) =>
        db
          .updateTable('user')
          .set({ badge: 'B1' } as never)
          .where('email', '=', callerOf('first'))
          .execute(),
      ...signUpOnce,
      status: 422,
    },
  ],
  'POST /sign-in/email': [
    { name: 'with a wrong password', body: (email) => ({ email, password: 'wrong password' }), status: 401 },
    {
      name: 'with the right password of an unverified user',
      verified: { known: false },
      body: (email) => ({ email, password }),
      status: 401,
    },
    {
      name: 'with a password that is too long',
      body: (email) => ({ email, password: 'x'.repeat(1000) }),
      status: 401,
    },
    {
      name: 'with counted attempts',
      config: { attempts: { enabled: true } },
      body: (email) => ({ email, password: 'wrong password' }),
      status: 401,
    },
  ],
  'POST /request-password-reset': resetScenarios(),
  'POST /forget-password': resetScenarios(),
  'POST /send-verification-email': [
    { name: 'for a verified user', body: (email) => ({ email }) },
    { name: 'for an unverified user', verified: { known: false }, body: (email) => ({ email, callbackURL: '/x' }) },
    { name: 'with an own function for emails', config: sent, verified: { known: false }, body: (email) => ({ email }) },
    { name: 'without any email', config: { mail: false }, body: (email) => ({ email }), status: 400 },
  ],
  'POST /change-email': [
    { name: 'from a verified email address', body: (newEmail) => ({ newEmail }) },
    { name: 'from an unverified email address', verified: { caller: false }, body: (newEmail) => ({ newEmail }) },
    { name: 'to that of an unverified user', verified: { known: false }, body: (newEmail) => ({ newEmail }) },
    { name: 'with an own function for emails', config: sent, body: (newEmail) => ({ newEmail }) },
    { name: 'without any email', config: { mail: false }, body: (newEmail) => ({ newEmail }), status: 400 },
  ],
  'POST /organization/invite-member': [
    { name: 'with built-in emails', ...inOrganization((email) => ({ email, role: 'member', resend: true })) },
    {
      name: 'of an unverified user',
      verified: { known: false },
      ...inOrganization((email) => ({ email, role: 'member' })),
      repeats: 1,
    },
    {
      name: 'without any email',
      ...inOrganization((email) => ({ email, role: 'member', resend: true })),
      config: { organization: true, mail: false },
    },
  ],
  'POST /organization/check-invitations': [
    { name: 'of users who are not members', ...inOrganization((email) => ({ emails: [email] })) },
  ],
  'POST /organization/remove-member': [
    { name: 'of users who are not members', ...inOrganization((email) => ({ memberIdOrEmail: email })), status: 400 },
  ],
  'POST /update-user': [{ name: 'with an email address', body: (email) => ({ email }), status: 400 }],
  ...nameScenarios,
  ...passkeyScenarios,
  ...codeScenarios,
}

function resetScenarios(): Scenario[] {
  const body = (email: string) => ({ email, redirectTo: '/reset' })
  return [
    { name: 'with built-in emails', body },
    { name: 'with an own function for emails', config: sent, body },
    { name: 'of an unverified user', verified: { known: false }, body },
    { name: 'without any email', config: { mail: false }, body, status: 400 },
    { name: 'with a hook that rejects the token', config: hook('verification', refuseAll), body },
    { name: 'with a hook that throws', config: hook('verification', throwAll), body, status: 422 },
    { name: 'with a hook that changes the token', config: hook('verification', (row: object) => ({ data: row })), body },
  ]
}

/** Each signed-in user is the owner of an organization, the active one of their session. */
function inOrganization(body: Scenario['body']): Pick<Scenario, 'config' | 'body' | 'prepare'> {
  const prepare = async ({ db, now }: App) => {
    const owners = await db.selectFrom('user').select('id').where('email', 'in', kinds.map(callerOf)).execute()
    for (const { id: userId } of owners) {
      const organization = {
        id: userId,
        name: 'Acme',
        slug: userId,
        logo: null,
        metadata: null,
        createdAt: now(),
        memberCount: 1,
      }
      await db.insertInto('organization').values(organization).execute()
      const member = { id: userId, organizationId: userId, userId, role: 'owner', teamId: null, createdAt: now() }
      await db.insertInto('member').values(member).execute()
      await db.updateTable('session').set({ activeOrganizationId: userId }).where('userId', '=', userId).execute()
    }
  }
  return { config: { organization: true }, body, prepare }
}

function hook(table: 'user' | 'account' | 'verification', before: (row: never) => unknown): ConfigFile {
  const guarded = (row: object) => (areHooksArmed ? before(row as never) : undefined)
  return { databaseHooks: { [table]: { create: { before: guarded } } } }
}

/** Usernames are chosen by those who see whether they are free. */
const revealing = ['POST /is-username-available']

const isName = (member: string) => /e-?mail|^username$|^phoneNumber$/i.test(member)

/** Calls whose query or body has a member with an email address, a username or a phone number, without those for administrators, who may list all users. */
function callsWithName({ app: { config, features } }: TestApp): string[] {
  const tables = mergeTables(features)
  return Object.values(featureList)
    .flatMap(({ routes = {} }) => Object.entries(routes))
    .filter(([, { declaration }]) => !('permissions' in declaration.access && declaration.access.permissions))
    .filter(([, { declaration }]) =>
      [declaration.query, declaration.body].some((schema) => {
        const resolved = resolveSchema(schema, config, tables, features)
        if (!resolved) return false
        const { properties = {} } = z.toJSONSchema(resolved, { io: 'input', unrepresentable: 'any' })
        return Object.keys(properties).some(isName)
      }),
    )
    .map(([key]) => key)
    .filter((key) => !revealing.includes(key))
    .toSorted()
}

test('every call that takes an email address, a username or a phone number is compared', async () => {
  expect(callsWithName(await testApp(quiet))).toEqual(Object.keys(scenarios).toSorted())
})

async function open({ config = {}, verified = {}, before = [], prepare }: Scenario) {
  areHooksArmed = false
  const kit = await testApp({ ...quiet, ...caught, ...config })
  const { app, browser } = kit
  const { record } = recordStatements(kit)
  for (const email of [emails.known, ...kinds.map(callerOf)])
    await record(() => browser().call('POST /sign-up/email', { body: { name: 'Ann', email, password } }))
  await app.db.updateTable('user').set({ emailVerified: true }).execute()
  const callers = { first: browser(), known: browser(), unknown: browser() }
  for (const kind of kinds)
    await record(() => callers[kind].call('POST /sign-in/email', { body: { email: callerOf(kind), password } }))
  const { known = true, caller = true } = verified
  const setVerified = (emailVerified: boolean) => app.db.updateTable('user').set({ emailVerified })
  await setVerified(caller).execute()
  await setVerified(known).where('email', '=', emails.known).execute()
  // What the users of the test have used up is not part of the comparison.
  await app.db.deleteFrom('mailCount').execute()
  await app.db.deleteFrom('attempt').execute()
  await prepare?.(app)
  for (const [path, body] of before)
    for (const email of Object.values(emails)) await record(() => browser().call(path, { body: body(email) as never }))
  areHooksArmed = true
  return { record, callers, browser }
}

/** Everything that a client sees, apart from what it sent and what is random. */
function visible({ status, statusText, body, headers, setCookie }: Answer, email: string) {
  const hidden = new Set(['x-request-id', 'date', 'set-cookie'])
  const text = JSON.stringify(body)
    .replaceAll(email, '<email>')
    .replaceAll(/"(\w*id)":"\w{32}"/gi, '"$1":"<id>"')
    .replaceAll(/"challenge":"[\w-]{43}"/g, '"challenge":"<challenge>"')
  // Of the values only their lengths, without the encoding of signatures: they are random.
  const cookies = setCookie.map((header) =>
    header.replace(/=([^;]*)/, (_, value: string) => `=<${decodeURIComponent(value).length}>`),
  )
  return { status, statusText, text, cookies, headers: [...headers].filter(([name]) => !hidden.has(name)) }
}

const isSignedInCall = (key: string) =>
  key.startsWith('POST /organization/') ||
  /^POST \/(change-email|update-user|email-otp\/(request-email-change|change-email))$/.test(key)

describe.each(Object.entries(scenarios))('%s: known and unknown users have the same response and statements', (key, all) => {
  test.each(all)('$name', async (scenario) => {
    const { record, callers, browser } = await open(scenario)
    const call = (kind: Kind) => {
      const sender = isSignedInCall(key) ? callers[kind] : browser()
      return record(() => sender.call(key as 'POST /sign-up/email', { body: scenario.body(emails[kind]) as never }))
    }
    // What is prepared once makes no difference between the others.
    await call('first')
    for (let repeat = 0; repeat < (scenario.repeats ?? 4); repeat += 1) {
      const unknown = await call('unknown')
      const known = await call('known')
      expect(unknown.result.status).toBe(scenario.status ?? 200)
      expect(visible(known.result, emails.known)).toEqual(visible(unknown.result, emails.unknown))
      expect(known.statements).toEqual(unknown.statements)
    }
  })
})

test('statements are recorded', async () => {
  const { record, browser } = await open({ name: '', body: () => ({}) })
  const { statements } = await record(() => browser().call('POST /request-password-reset', { body: { email: emails.known } }))
  expect(statements).toEqual(
    expect.arrayContaining(['select user', 'insert verification', 'update mailcount', 'insert mailcount', 'insert outbox']),
  )
})
