import { describe, expect, test } from 'vitest'
import { testApp } from '../../tests/kit/app.ts'
import type { Browser } from '../../tests/kit/browser.ts'
import { captureMails } from '../../tests/kit/mails.ts'
import type { HookData } from './database-hooks.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }

async function signUp(databaseHooks: object) {
  const kit = await testApp({ databaseHooks })
  const answer = await kit.browser().call('POST /sign-up/email', { body: ann })
  const count = async (table: 'user' | 'account' | 'session') =>
    (await kit.app.db.selectFrom(table).select('id').execute()).length
  return { ...kit, answer, rows: [await count('user'), await count('account'), await count('session')] }
}

describe('databaseHooks', () => {
  test('see each row before and after it is created, without its secrets', async () => {
    const seen: [string, string[]][] = []
    const watch = (name: string) => ({
      create: {
        before: (data: HookData) => {
          seen.push([`${name} before`, Object.keys(data)])
          return undefined
        },
        after: (row: HookData) => void seen.push([`${name} after`, Object.keys(row)]),
      },
    })
    await signUp({ user: watch('user'), account: watch('account'), session: watch('session') })
    expect(seen.map(([name]) => name)).toEqual([
      'user before',
      'account before',
      'user after',
      'account after',
      'session before',
      'session after',
    ])
    for (const [, columns] of seen)
      expect(columns).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(password|tokenHash)$/)]))
  })

  test('may change what is written, but no id and no secret', async () => {
    const before = (data: HookData) => ({ data: { ...data, name: 'Changed', id: 'chosen' } })
    const { answer } = await signUp({ user: { create: { before } } })
    expect(answer.body.user.name).toBe('Changed')
    expect(answer.body.user.id).not.toBe('chosen')
  })

  test.each([
    ['user', [400, 'FAILED_TO_CREATE_USER'], [0, 0, 0]],
    ['account', [400, 'FAILED_TO_CREATE_ACCOUNT'], [0, 0, 0]],
    ['session', [400, 'FAILED_TO_CREATE_SESSION'], [1, 1, 0]],
  ])('may refuse a row of %s', async (model, expected, written) => {
    const { answer, rows } = await signUp({ [model]: { create: { before: () => false } } })
    expect([answer.status, answer.body.code]).toEqual(expected)
    expect(rows).toEqual(written)
  })

  test('that throw are a clear 500 with a request id, and nothing half-written', async () => {
    const before = () => {
      throw new Error('of the installation')
    }
    const { answer, rows, log } = await signUp({ account: { create: { before } } })
    expect([answer.status, answer.body.code]).toEqual([500, 'INTERNAL_SERVER_ERROR'])
    expect(rows).toEqual([0, 0, 0])
    expect(log.join()).toContain(answer.headers.get('x-request-id'))
  })
})

describe('a hook that throws', () => {
  const newPassword = 'another horse entirely'
  type Kit = Awaited<ReturnType<typeof withAnn>>
  type Point = readonly ['user' | 'account' | 'session' | 'verification', 'create' | 'update', 'before' | 'after']

  /** Ann, who has signed up, and hooks of which one will throw from `isBroken` on. */
  async function withAnn([model, write, moment]: Point) {
    const state = { isBroken: false }
    const hook = () => {
      if (state.isBroken) throw new Error('of the installation')
    }
    const mails = captureMails()
    const kit = await testApp({
      databaseHooks: { [model]: { [write]: { [moment]: hook } } },
      emailAndPassword: { enabled: true, sendResetPassword: mails.send },
      emailVerification: { sendVerificationEmail: mails.send },
      ...(model === 'session' && write === 'update' && { session: { updateAge: 0 } }),
      user: { changeEmail: { enabled: true } },
    })
    const visitor = kit.browser()
    await visitor.call('POST /sign-up/email', { body: ann })
    const rows = async () => {
      const tables = ['user', 'account', 'session', 'verification', 'outbox'] as const
      return Promise.all(tables.map((table) => kit.app.db.selectFrom(table).selectAll().orderBy('id').execute()))
    }
    return { ...kit, state, mails, visitor, rows }
  }

  const calls = {
    'sign-up': ({ browser }: Kit) => browser().call('POST /sign-up/email', { body: { ...ann, email: 'bob@example.com' } }),
    'sign-in': ({ browser }: Kit) => browser().call('POST /sign-in/email', { body: ann }),
    'change-password': ({ visitor }: Kit) =>
      visitor.call('POST /change-password', { body: { currentPassword: ann.password, newPassword } }),
    'request-password-reset': ({ browser }: Kit) =>
      browser().call('POST /request-password-reset', { body: { email: ann.email } }),
    'update-user': ({ visitor }: Kit) => visitor.call('POST /update-user', { body: { name: 'Anna' } }),
    'change-email': ({ visitor }: Kit) => visitor.call('POST /change-email', { body: { newEmail: 'anna@example.com' } }),
    'list-sessions': ({ visitor }: Kit) => visitor.call('GET /list-sessions', {}),
    'get-session': ({ visitor }: Kit) => visitor.call('GET /get-session', {}),
  } satisfies Record<string, (kit: Kit) => ReturnType<Browser['request']>>

  // [call, where the hook throws, rows of user, account, session, verification and outbox then, status when called again]
  const cases: readonly (readonly [keyof typeof calls, Point, readonly number[], number])[] = [
    ['sign-up', ['user', 'create', 'before'], [1, 1, 1, 0, 0], 200],
    ['sign-up', ['user', 'create', 'after'], [2, 2, 1, 0, 0], 422],
    ['sign-up', ['account', 'create', 'before'], [1, 1, 1, 0, 0], 200],
    ['sign-up', ['account', 'create', 'after'], [2, 2, 1, 0, 0], 422],
    ['sign-up', ['session', 'create', 'before'], [2, 2, 1, 0, 0], 422],
    ['sign-in', ['session', 'create', 'before'], [1, 1, 1, 0, 0], 200],
    ['sign-in', ['session', 'create', 'after'], [1, 1, 2, 0, 0], 200],
    ['change-password', ['account', 'update', 'before'], [1, 1, 1, 0, 0], 200],
    ['change-password', ['account', 'update', 'after'], [1, 1, 1, 0, 0], 400],
    ['request-password-reset', ['verification', 'create', 'before'], [1, 1, 1, 0, 0], 200],
    ['request-password-reset', ['verification', 'create', 'after'], [1, 1, 1, 1, 1], 200],
    ['update-user', ['user', 'update', 'before'], [1, 1, 1, 0, 0], 200],
    ['update-user', ['user', 'update', 'after'], [1, 1, 1, 0, 0], 200],
    ['change-email', ['user', 'update', 'before'], [1, 1, 1, 0, 0], 200],
    ['change-email', ['user', 'update', 'after'], [1, 1, 1, 0, 1], 400],
    ['list-sessions', ['session', 'update', 'before'], [1, 1, 1, 0, 0], 200],
    ['list-sessions', ['session', 'update', 'after'], [1, 1, 1, 0, 0], 200],
    ['get-session', ['session', 'update', 'before'], [1, 1, 1, 0, 0], 200],
  ]

  test.each(cases)(
    '%s with %j: a 500 with the request id of the log, and all of it is written or nothing',
    async (name, point, counts, again) => {
      const kit = await withAnn(point)
      kit.clock.advance(60)
      const before = await kit.rows()
      kit.state.isBroken = true
      const answer = await calls[name](kit)
      kit.state.isBroken = false
      const code = name === 'get-session' ? 'FAILED_TO_GET_SESSION' : 'INTERNAL_SERVER_ERROR'
      expect([answer.status, answer.body.code]).toEqual([500, code])
      const id = answer.headers.get('x-request-id')
      expect(kit.log.some((line) => line.includes(`"requestId":"${id}"`) && line.includes('of the installation'))).toBe(true)
      expect(answer.setCookie).toEqual([])
      const after = await kit.rows()
      expect(after.map(({ length }) => length)).toEqual(counts)
      if (point[2] === 'before' && point[0] !== 'session') expect(after).toEqual(before)
      expect((await calls[name](kit)).status).toBe(again)
    },
  )

  test('after a user was updated is told of the row as it is, by each call that updates one', async () => {
    const seen: HookData[] = []
    const mails = captureMails()
    const { browser } = await testApp({
      databaseHooks: { user: { update: { after: (row) => void seen.push(row) } } },
      emailVerification: { sendVerificationEmail: mails.send },
      user: { changeEmail: { enabled: true, sendChangeEmailVerification: mails.send } },
    })
    const visitor = browser()
    await visitor.call('POST /sign-up/email', { body: ann })
    const follow = async () => visitor.call('GET /verify-email', { query: { token: (await mails.next()).token } })
    await visitor.call('POST /update-user', { body: { name: 'Anna' } })
    await visitor.call('POST /change-email', { body: { newEmail: 'anna@example.com' } })
    await follow()
    await visitor.call('POST /change-email', { body: { newEmail: 'anne@example.com' } })
    await follow()
    expect(seen.map(({ name, email, emailVerified }) => [name, email, emailVerified])).toEqual([
      ['Anna', 'ann@example.com', false],
      ['Anna', 'anna@example.com', false],
      ['Anna', 'anna@example.com', true],
      ['Anna', 'anne@example.com', false],
    ])
  })
})
