import { describe, expect, test, vi } from 'vitest'
import { testApp } from '../../tests/kit/app.ts'
import type { Browser } from '../../tests/kit/browser.ts'
import { captureMails } from '../../tests/kit/mails.ts'
import { featureList } from '../features/index.ts'
import { parseConfig } from '../project/config/parse-config.ts'
import { write, written } from './write.ts'

type HookData = Readonly<Record<string, unknown>>

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }

async function signUp(databaseHooks: object) {
  const kit = await testApp({ databaseHooks })
  const answer = await kit.browser().call('POST /sign-up/email', { body: ann })
  const count = async (table: 'user' | 'account' | 'session') =>
    (await kit.app.db.selectFrom(table).select('id').execute()).length
  return { ...kit, answer, rows: [await count('user'), await count('account'), await count('session')] }
}

describe('databaseHooks', () => {
  test('get each row before and after it is created, without secrets', async () => {
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

  test('change what is written, but no id and no secret', async () => {
    const before = (data: HookData) => ({ data: { ...data, name: 'Changed', id: 'chosen' } })
    const { answer } = await signUp({ user: { create: { before } } })
    expect(answer.body.user.name).toBe('Changed')
    expect(answer.body.user.id).not.toBe('chosen')
  })

  test.each([
    ['user', [400, 'FAILED_TO_CREATE_USER'], [0, 0, 0]],
    ['account', [400, 'FAILED_TO_CREATE_ACCOUNT'], [0, 0, 0]],
    ['session', [400, 'FAILED_TO_CREATE_SESSION'], [1, 1, 0]],
  ])('reject a row of %s', async (model, expected, written) => {
    const { answer, rows } = await signUp({ [model]: { create: { before: () => false } } })
    expect([answer.status, answer.body.code]).toEqual(expected)
    expect(rows).toEqual(written)
  })

  test('give 500 with a request id and roll back when a before-hook throws', async () => {
    const before = () => {
      throw new Error('of the installation')
    }
    const { answer, rows, log } = await signUp({ account: { create: { before } } })
    expect([answer.status, answer.body.code]).toEqual([500, 'INTERNAL_SERVER_ERROR'])
    expect(rows).toEqual([0, 0, 0])
    expect(log.join()).toContain(answer.headers.get('x-request-id'))
  })
})

describe('write', () => {
  const rejection = { status: 400, code: 'REFUSED', message: 'Refused' } as const
  const account = { id: 'a', scope: 'email', password: 'hash', accessToken: 'token' }

  /** The draft of an account after a before-hook that returns this. */
  async function draftAfter(action: 'create' | 'update', answer: unknown) {
    const seen: HookData[] = []
    const before = (data: HookData) => {
      seen.push(data)
      return answer as undefined
    }
    const { app } = await testApp({ databaseHooks: { account: { [action]: { before } } } })
    const draft = await write(app, [{ table: 'account', action, draft: account, rejection }], async (_, changed) => changed)
    return { draft, seen }
  }

  test('withholds secret columns from a before-hook and keeps them when it replaces the others', async () => {
    const { draft, seen } = await draftAfter('update', { data: { scope: 'changed' } })
    expect(seen).toEqual([{ id: 'a', scope: 'email' }])
    expect(draft).toEqual({ scope: 'changed', password: 'hash', accessToken: 'token' })
  })

  test('merges what a before-hook of a creation returns into the row', async () => {
    const { draft } = await draftAfter('create', { data: { providerId: 'other' } })
    expect(draft).toEqual({ ...account, providerId: 'other' })
  })

  test.each(['create', 'update'] as const)('ignores an id and secrets that a before-hook of %s returns', async (action) => {
    const { draft } = await draftAfter(action, { data: { id: 'b', scope: 'email', password: 'chosen', accessToken: 'chosen' } })
    expect(draft).toEqual(action === 'create' ? account : { scope: 'email', password: 'hash', accessToken: 'token' })
  })

  test('returns null when a hook rejects a write that has no error of its own', async () => {
    const { app } = await testApp({ databaseHooks: { account: { update: { before: () => false } } } })
    const work = vi.fn(async () => 'written')
    expect(await write(app, [{ table: 'account', action: 'update', draft: account, rejection: null }], work)).toBeNull()
    expect(work).not.toHaveBeenCalled()
  })

  test('runs no after-hook when the transaction is rolled back', async () => {
    const after = vi.fn()
    const { app } = await testApp({ databaseHooks: { account: { create: { after } } } })
    const writing = write(app, [{ table: 'account', action: 'create', draft: account, rejection }], async (tx, draft) => {
      await written(tx, 'account', 'create', draft)
      throw new Error('rolled back')
    })
    await expect(writing).rejects.toThrow('rolled back')
    expect(after).not.toHaveBeenCalled()
  })

  test('calls an after-hook without secret columns, outside the transaction', async () => {
    const seen: unknown[] = []
    const after = async (row: HookData) => {
      // On SQLite this would never end inside the transaction.
      seen.push(row, (await app.db.selectFrom('user').select('id').execute()).length)
    }
    const { app } = await testApp({ databaseHooks: { account: { create: { after } } } })
    await write(app, [{ table: 'account', action: 'create', draft: account, rejection }], (tx, draft) =>
      written(tx, 'account', 'create', draft),
    )
    expect(seen).toEqual([{ id: 'a', scope: 'email' }, 0])
  })

  test('suggests the name of a misspelled table or hook', () => {
    const issues = (databaseHooks: object) => {
      const parsed = parseConfig(featureList, { databaseHooks })
      return 'issues' in parsed ? parsed.issues.map(({ path, hint }) => [path, hint]) : []
    }
    expect(issues({ usr: {} })).toEqual([['databaseHooks.usr', 'Did you mean `user`?']])
    expect(issues({ user: { creat: {} } })).toEqual([['databaseHooks.user.creat', 'Did you mean `create`?']])
    expect(issues({ user: { create: { befor: () => {} } } })).toEqual([
      ['databaseHooks.user.create.befor', 'Did you mean `before`?'],
    ])
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
  type Case = readonly [keyof typeof calls, Point, readonly number[], number]
  const before: readonly Case[] = [
    ['sign-up', ['user', 'create', 'before'], [1, 1, 1, 0, 0], 200],
    ['sign-up', ['account', 'create', 'before'], [1, 1, 1, 0, 0], 200],
    ['sign-up', ['session', 'create', 'before'], [2, 2, 1, 0, 0], 422],
    ['sign-in', ['session', 'create', 'before'], [1, 1, 1, 0, 0], 200],
    ['change-password', ['account', 'update', 'before'], [1, 1, 1, 0, 0], 200],
    ['request-password-reset', ['verification', 'create', 'before'], [1, 1, 1, 0, 0], 200],
    ['update-user', ['user', 'update', 'before'], [1, 1, 1, 0, 0], 200],
    ['change-email', ['user', 'update', 'before'], [1, 1, 1, 0, 0], 200],
    ['list-sessions', ['session', 'update', 'before'], [1, 1, 1, 0, 0], 200],
    ['get-session', ['session', 'update', 'before'], [1, 1, 1, 0, 0], 200],
  ]
  const after: readonly Case[] = [
    ['sign-up', ['user', 'create', 'after'], [2, 2, 2, 0, 0], 422],
    ['sign-up', ['account', 'create', 'after'], [2, 2, 2, 0, 0], 422],
    ['sign-up', ['session', 'create', 'after'], [2, 2, 2, 0, 0], 422],
    ['sign-in', ['session', 'create', 'after'], [1, 1, 2, 0, 0], 200],
    ['change-password', ['account', 'update', 'after'], [1, 1, 1, 0, 0], 400],
    ['request-password-reset', ['verification', 'create', 'after'], [1, 1, 1, 1, 1], 200],
    ['update-user', ['user', 'update', 'after'], [1, 1, 1, 0, 0], 200],
    ['change-email', ['user', 'update', 'after'], [1, 1, 1, 0, 1], 400],
    ['list-sessions', ['session', 'update', 'after'], [1, 1, 1, 0, 0], 200],
    ['get-session', ['session', 'update', 'after'], [1, 1, 1, 0, 0], 200],
  ]

  async function callWithBrokenHook([name, point]: Case) {
    const kit = await withAnn(point)
    kit.clock.advance(60)
    const rows = await kit.rows()
    kit.state.isBroken = true
    const answer = await calls[name](kit)
    const id = answer.headers.get('x-request-id')
    const isLogged = () => kit.log.some((line) => line.includes(`"requestId":"${id}"`) && line.includes('of the installation'))
    // Some after-hooks run after the response.
    await expect.poll(isLogged, { interval: 5 }).toBe(true)
    kit.state.isBroken = false
    expect(kit.counted).toContain('unexpected_error')
    return { ...kit, answer, rows: [rows, await kit.rows()] as const, again: async () => (await calls[name](kit)).status }
  }

  test.each(before)('before %s, at %j, gives 500 and writes nothing', async (...given) => {
    const [name, [model], counts, status] = given
    const { answer, rows, again } = await callWithBrokenHook(given)
    const code = name === 'get-session' ? 'FAILED_TO_GET_SESSION' : 'INTERNAL_SERVER_ERROR'
    expect([answer.status, answer.body.code]).toEqual([500, code])
    expect(answer.setCookie).toEqual([])
    expect(rows[1].map(({ length }) => length)).toEqual(counts)
    if (model !== 'session') expect(rows[1]).toEqual(rows[0])
    expect(await again()).toBe(status)
  })

  test.each(after)('after %s, at %j, is logged and counted while the call succeeds', async (...given) => {
    const [, , counts, status] = given
    const { answer, rows, again } = await callWithBrokenHook(given)
    expect(answer.status).toBe(200)
    expect(rows[1].map(({ length }) => length)).toEqual(counts)
    expect(await again()).toBe(status)
  })

  test('the after-hook of a user update gets the updated row from each call that updates one', async () => {
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
