/** The rules about who may sign up: lists of the configuration and of files, disposable domains, the mode, and invitations. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import type { Answer } from '../../../tests/kit/browser.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { socialApp } from '../../../tests/kit/social.ts'
import { decideSignUp } from '../../core/sign-up.ts'
import type { ConfigFile } from '../index.ts'
import { disposableDomains } from './disposable-domains.ts'

type Policy = NonNullable<ConfigFile['signUp']>

const password = 'correct horse battery'
const outcome = ({ status, body }: Answer) => [status, body?.code].filter(Boolean).join(' ')

async function open(signUp: Policy, config: ConfigFile = {}) {
  const kit = await testApp({ ...config, signUp })
  const join = (email: string, browser = kit.browser()) =>
    browser.call('POST /sign-up/email', { body: { name: 'Ann', email, password } })
  const decide = async (email: string) => {
    const { rejection } = await decideSignUp(kit.app, { email })
    return rejection && `${rejection.rejected} ${rejection.setting} ${rejection.entry ?? ''}`.trim()
  }
  return { ...kit, join, decide }
}

const fileOf = (content: string): string => {
  const file = join(mkdtempSync(join(tmpdir(), 'latchkey-list-')), 'list.txt')
  writeFileSync(file, content)
  return file
}
const issuesOf = (signUp: Policy) =>
  testApp({ signUp }).then(
    () => [],
    ({ message }: Error) => JSON.parse(message) as { id: string; path: string; message: string }[],
  )

describe('lists', () => {
  test.each([
    ['ann@acme.example', 'ann@acme.example', true],
    ['ANN@Acme.Example', 'ann@acme.example', true],
    ['ann@acme.example', 'bob@acme.example', false],
    ['*@acme.example', 'bob@acme.example', true],
    ['acme.example', 'bob@acme.example', true],
    ['*@acme.example', 'bob@eu.acme.example', false],
    ['*@acme.example', 'bob@notacme.example', false],
    ['*.acme.example', 'bob@eu.acme.example', true],
    ['*@*.acme.example', 'bob@a.eu.acme.example', true],
    ['*.acme.example', 'bob@acme.example', false],
    ['*@bücher.example', 'bob@xn--bcher-kva.example', true],
  ])('the entry %s and the address %s: %s', async (entry, email, matches) => {
    expect(await (await open({ block: [entry] })).decide(email)).toBe(
      matches ? `${/^[^*].*@/.test(entry) ? 'address' : 'domain'}-blocked signUp.block ${entry}` : null,
    )
    expect(await (await open({ allow: [entry] })).decide(email)).toBe(matches ? null : 'not-listed signUp.allow')
  })

  test('a blocked address stays blocked with a tag that its provider ignores, and an allowed one does not cover others', async () => {
    const { decide } = await open({ block: ['ann@gmail.com'] })
    expect(await decide('a.n.n+x@googlemail.com')).toBe('address-blocked signUp.block ann@gmail.com')
    expect(await (await open({ allow: ['ann@gmail.com'] })).decide('a.nn@gmail.com')).toBe('not-listed signUp.allow')
  })

  test('what is blocked comes before what is allowed', async () => {
    const { decide } = await open({ allow: ['*@acme.example'], block: ['eve@acme.example'] })
    expect([await decide('ann@acme.example'), await decide('eve@acme.example')]).toEqual([
      null,
      'address-blocked signUp.block eve@acme.example',
    ])
  })

  test('files have one entry a line and comments, and the decision names the line', async () => {
    const blockFile = fileOf('# blocked\r\n\r\n*@evil.example  # spam\n bob@acme.example\n')
    const { app, decide } = await open({ blockFile })
    expect(await decide('bob@acme.example')).toBe('address-blocked signUp.blockFile bob@acme.example')
    const { rejection } = await decideSignUp(app, { email: 'x@evil.example' })
    expect(rejection).toMatchObject({ entry: '*@evil.example', file: blockFile, line: 3, isFirm: true })
  })

  test('an empty file that allows admits no one', async () => {
    expect(await (await open({ allowFile: fileOf('# no one yet\n') })).decide('ann@acme.example')).toBe(
      'not-listed signUp.allowFile',
    )
  })

  test.each([
    [{ allow: ['ann@'] }, 'sign-up-entry signUp.allow.0', '"ann@"'],
    [{ block: ['*@acme.example', 'te*t@acme.example'] }, 'sign-up-entry signUp.block.1', '"te*t@acme.example"'],
    [{ block: ['*'] }, 'sign-up-entry signUp.block.0', '"*"'],
    [{ blockFile: '/missing/list.txt' }, 'sign-up-file signUp.blockFile', '/missing/list.txt: it does not exist'],
    [{ blockFile: '/tmp' }, 'sign-up-file signUp.blockFile', '/tmp: it is not a file'],
    [{ allowFile: fileOf('*@acme.example\nnot an entry\n') }, 'sign-up-file signUp.allowFile', 'list.txt:2: "not an entry"'],
  ] as readonly [Policy, string, string][])('%j is an error of the configuration', async (signUp, issue, message) => {
    const issues = await issuesOf(signUp)
    expect(issues.map(({ id, path }) => `${id} ${path}`)).toEqual([issue])
    expect(issues[0]?.message).toContain(message)
  })

  test('many wrong lines are some errors and their number', async () => {
    const issues = await issuesOf({ blockFile: fileOf('wrong\n'.repeat(25)) })
    expect(issues).toHaveLength(11)
    expect(issues.at(-1)?.message).toContain('15 more lines')
  })
})

describe('disposable domains', () => {
  test('are allowed by default, and rejected with their subdomains, but for those that are allowed', async () => {
    expect(await (await open({})).decide('ann@mailinator.com')).toBeNull()
    const { decide } = await open({ disposable: 'block' })
    expect(await decide('ann@mailinator.com')).toBe('disposable-domain signUp.disposable')
    expect(await decide('ann@x.mailinator.com')).toBe('disposable-domain signUp.disposable')
    for (const domain of ['gmail.com', 'outlook.com', 'icloud.com', 'proton.me', 'acme.example'])
      expect([domain, await decide(`ann@${domain}`)]).toEqual([domain, null])
    const excepting = await open({ disposable: 'block', allow: ['*', '*@mailinator.com'] })
    expect(await excepting.decide('ann@mailinator.com')).toBeNull()
    expect(await excepting.decide('ann@acme.example')).toBeNull()
    expect(await excepting.decide('ann@yopmail.com')).toBe('disposable-domain signUp.disposable')
  })

  test('the list says how old it is', () => {
    const { date, domains } = disposableDomains()
    expect(date).toMatch(/^20\d\d-\d\d-\d\d$/)
    expect(domains.size).toBeGreaterThan(5000)
    expect([...domains].filter((domain) => !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain))).toEqual([])
  })
})

describe('sign-up that is closed', () => {
  test('gives the same response to known and unknown email addresses', async () => {
    const kit = await open({})
    await kit.join('ann@example.com')
    const closed = await kit.another({ signUp: { mode: 'closed' } })
    if (closed.app.config.database.url !== kit.app.config.database.url) return
    const answers = []
    for (const email of ['ann@example.com', 'new@example.com'])
      answers.push(await closed.browser().call('POST /sign-up/email', { body: { name: 'Ann', email, password } }))
    expect(answers.map(({ status, body }) => [status, body])).toEqual(
      Array(2).fill([403, { code: 'SIGN_UP_NOT_ALLOWED', message: 'Sign-up is not allowed' }]),
    )
  })

  test('does not concern administrators and operators, whom lists concern', async () => {
    const { app } = await open({ mode: 'closed', block: ['eve@example.com'] })
    for (const source of ['administrator', 'operator', 'import'] as const) {
      expect((await decideSignUp(app, { email: 'ann@example.com', source })).rejection).toBeNull()
      expect((await decideSignUp(app, { email: 'eve@example.com', source })).rejection?.rejected).toBe('address-blocked')
    }
    expect((await decideSignUp(app, { email: 'ann@example.com', userId: 'ann' })).rejection).toBeNull()
  })

  test('is announced to pages', async () => {
    const { browser } = await open({ mode: 'closed', invitationsPass: true })
    const { body } = await browser().call('GET /public-settings', {})
    expect(body.signUp).toEqual({ mode: 'closed', invitationsPass: false })
  })

  test('is recorded once with a count, and neither the address nor an event for each address is stored without end', async () => {
    const kit = await open({ mode: 'closed' })
    for (let time = 0; time < 3; time += 1) await kit.join('Ann@example.com')
    await kit.settled()
    const rejected = async () => {
      const { flushDenials } = await import('../audit/index.ts')
      await flushDenials(kit.app)
      return kit.app.db.selectFrom('auditEvent').select('details').where('action', '=', 'sign-up.rejected').execute()
    }
    const events = await rejected()
    const details = events.map((event) => (typeof event.details === 'string' ? JSON.parse(event.details) : event.details))
    const counted = details.reduce((sum: number, { count = 1 }) => sum + count, 0)
    expect([counted, events.length <= 2]).toEqual([3, true])
    expect(details[0]).toMatchObject({ reason: 'closed', setting: 'signUp.mode', way: 'password', domain: 'example.com' })
    expect(JSON.stringify(details)).not.toMatch(/ann@/i)
    for (let number = 0; number < 1100; number += 1) {
      const { recordRejection } = await import('./record.ts')
      const actor = { kind: 'anonymous', ipAddress: `192.0.2.${number % 250}`, requestId: '' } as const
      const app = Object.assign(Object.create(kit.app), { actor })
      recordRejection(app, { email: `n${number}@example.com` }, { rejected: 'closed', setting: 'signUp.mode' })
    }
    await rejected()
    expect((await rejected()).length).toBeLessThan(1020)
  })
})

describe('calls that respond the same for every email address', () => {
  const ask = {
    'POST /sign-in/magic-link': (email: string) => ({ email }),
    'POST /email-otp/send-verification-otp': (email: string) => ({ email, type: 'sign-in' as const }),
    'POST /passkey/sign-up': (email: string) => ({ email }),
  }

  test.each(Object.entries(ask))('%s sends nothing to who may not sign up', async (key, body) => {
    const mails = captureMails<{ to: string }>()
    const kit = await open(
      { block: ['*@evil.example'] },
      {
        magicLink: true,
        emailOTP: true,
        passkey: { enabled: true, signUp: true },
        mail: { send: mails.send as never, from: 'a@example.com' },
      },
    )
    const call = (email: string) => kit.browser().call(key as never, { body: body(email) } as never)
    const [rejected, admitted] = [await call('eve@evil.example'), await call('ann@example.com')]
    expect([rejected.status, rejected.body]).toEqual([admitted.status, admitted.body])
    await mails.next()
    await kit.settled()
    expect(mails.sent.map(({ to }) => to)).toEqual(['ann@example.com'])
  })

  test('sign-up with antiEnumeration rejects by rules before it looks for the address', async () => {
    const mails = captureMails<{ to: string }>()
    const emailAndPassword = { enabled: true, requireEmailVerification: true, antiEnumeration: true }
    const kit = await open(
      { block: ['*@evil.example'] },
      { emailAndPassword, mail: { send: mails.send as never, from: 'a@example.com' } },
    )
    expect(outcome(await kit.join('eve@evil.example'))).toBe('403 SIGN_UP_NOT_ALLOWED')
    expect(outcome(await kit.join('ann@example.com'))).toBe('200')
    await mails.next()
    await kit.settled()
    expect(mails.sent).toHaveLength(1)
  })
})

describe('an email address that the policy rejects is not reached by a change', () => {
  const changing: ConfigFile = { user: { changeEmail: { enabled: true } }, emailOTP: { changeEmail: { enabled: true } } }

  test('of a user', async () => {
    const kit = await open({ block: ['*@evil.example'] }, { ...changing, mail: { catch: true } })
    const ann = kit.browser()
    await kit.join('ann@example.com', ann)
    const change = (newEmail: string) => ann.call('POST /change-email', { body: { newEmail } })
    expect(outcome(await change('ann@evil.example'))).toBe('403 SIGN_UP_NOT_ALLOWED')
    const byCode = await ann.call('POST /email-otp/request-email-change', { body: { newEmail: 'ann@evil.example' } })
    expect(outcome(byCode)).toBe('403 SIGN_UP_NOT_ALLOWED')
    expect(outcome(await change('ann@acme.example'))).toBe('200')
  })

  test('by a link that was sent before the rule', async () => {
    const mails = captureMails<{ user: { email: string }; token: string }>()
    const config: ConfigFile = {
      user: { changeEmail: { enabled: true, sendChangeEmailVerification: mails.send } },
      emailVerification: { sendVerificationEmail: () => undefined },
    }
    const kit = await testApp(config)
    const ann = kit.browser()
    await ann.call('POST /sign-up/email', { body: { name: 'Ann', email: 'ann@example.com', password } })
    await kit.app.db.updateTable('user').set({ emailVerified: true }).execute()
    await ann.call('POST /change-email', { body: { newEmail: 'ann@evil.example' } })
    const { token } = await mails.next()
    // The configuration is frozen: the rule is one of another feature.
    const strict = { name: 'strict', admitsSignUp: { rejects: () => ({ rejected: 'new', setting: 'planted' }) } }
    ;(kit.app.features as unknown[]).push(strict)
    expect(outcome(await ann.call('POST /verify-email', { body: { token } }))).toBe('403 SIGN_UP_NOT_ALLOWED')
    ;(kit.app.features as unknown[]).pop()
    expect(outcome(await ann.call('POST /verify-email', { body: { token } }))).toBe('200')
  })

  test('by the profile of a provider', async () => {
    const kit = await socialApp({
      signUp: { block: ['*@evil.example'] },
      socialProviders: { google: { clientId: 'client-id', clientSecret: 'client-secret', overrideUserInfoOnSignIn: true } },
    })
    const user = { sub: 'ann-at-provider', name: 'Ann', email: 'ann@example.com', email_verified: true }
    await kit.signIn(kit.browser(), 'google', user)
    await kit.signIn(kit.browser(), 'google', { ...user, name: 'Ann Smith', email: 'ann@evil.example' })
    const users = await kit.app.db.selectFrom('user').select(['name', 'email']).execute()
    expect(users).toEqual([{ name: 'Ann Smith', email: 'ann@example.com' }])
  })

  test('and an administrator may still set it', async () => {
    const { administrate } = await import('../../../tests/kit/administration.ts')
    const kit = await administrate(await testApp({ admin: true, signUp: { block: ['*@evil.example'] } }))
    const body = { userId: kit.uma.userId, data: { email: 'uma@evil.example' } }
    expect(outcome(await kit.ada.browser.call('POST /admin/update-user', { body }))).toBe('200')
  })
})

describe('an invitation to an organization', () => {
  async function invited(policy: Policy) {
    const kit = await open({}, { organization: true, mail: { catch: true } })
    const owner = kit.browser()
    await kit.join('owner@example.com', owner)
    const { body } = await owner.call('POST /organization/create', { body: { name: 'Acme', slug: 'acme' } })
    for (const email of ['ann@example.com', 'eve@evil.example'])
      await owner.call('POST /organization/invite-member', { body: { email, role: 'member', organizationId: body.id } })
    const app = Object.assign(Object.create(kit.app), {
      config: { ...kit.app.config, signUp: { ...kit.app.config.signUp, ...policy } },
    })
    const decide = async (email: string) => {
      const { rejection, waiver } = await decideSignUp(app, { email })
      return waiver?.waived ?? rejection?.rejected ?? 'admitted'
    }
    return { ...kit, decide }
  }

  test('admits who is invited only when the configuration says so, and never who is blocked', async () => {
    const closed = await invited({ mode: 'closed' })
    expect(await closed.decide('ann@example.com')).toBe('closed')
    const { decide, clock } = await invited({ mode: 'closed', invitationsPass: true, block: ['*@evil.example'] })
    expect(await decide('ann@example.com')).toBe('invitation')
    expect(await decide('bob@example.com')).toBe('closed')
    expect(await decide('eve@evil.example')).toBe('domain-blocked')
    clock.advance(86_400 * 30)
    expect(await decide('ann@example.com')).toBe('closed')
  })
})

test('without rules, a sign-up makes no query more, and no file is read', async () => {
  const { app } = await open({})
  const counted = Object.assign(Object.create(app), { db: null })
  expect(await decideSignUp(counted, { email: 'ann@example.com' })).toEqual({ rejection: null, waiver: null })
})
