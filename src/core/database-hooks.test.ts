import { describe, expect, test } from 'vitest'
import { testApp } from '../../tests/kit/app.ts'
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
