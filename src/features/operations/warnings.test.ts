/** The warnings at the top of the administrators' pages. */
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { extend } from '../../core/app.ts'
import type { Installation } from '../../core/installation.ts'
import { createServer } from '../../http/server.ts'

const olga = { name: 'Olga', email: 'olga@example.com', password: 'correct horse battery' }

describe('GET /admin/warnings', () => {
  /** Calls of an operator on a daemon that knows this of its installation. */
  async function withInstallation(known: Partial<Installation> | null) {
    const kit = await testApp({ admin: { roles: { operator: { system: ['read'] }, user: {} } } })
    const operator = kit.browser()
    await operator.call('POST /sign-up/email', { body: olga })
    await kit.app.db.updateTable('user').set({ role: 'operator' }).execute()
    const { installation } = kit.app
    if (!installation) throw new Error('The app of a test has an installation')
    const app = extend(kit.app, { installation: known && { ...installation, ...known } })
    const server = createServer(app, { reasons: async () => [] })
    const cookie = [...operator.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const read = async () =>
      (await server.request('http://localhost:3000/api/auth/admin/warnings', { headers: { cookie } })).json()
    return { read, clock: kit.clock }
  }
  const report = { keepsFiles: true, files: [], ungenerated: [], drift: [{ path: 'user.nickname', message: 'Missing' }] }
  const silent = async () => {
    throw new Error('EACCES')
  }

  test('says that the database is read-only, the configuration has changed and the migrations differ', async () => {
    const { read } = await withInstallation({
      database: async () => ({ product: 'MySQL 9.7.4', pool: null, isReadOnly: true }),
      findChange: async () => new Date('2026-11-14T12:00:00Z'),
      migrations: async () => report,
    })
    expect(await read()).toEqual({
      isReadOnly: true,
      configurationChangedAt: '2026-11-14T12:00:00.000Z',
      migrations: 'drifted',
    })
  })

  test.each([
    ['of a part that does not respond', { database: silent, findChange: silent, migrations: silent }],
    ['without a daemon', null],
  ] as const)('claims nothing %s', async (_, known) => {
    const { read } = await withInstallation(known)
    expect(await read()).toEqual({ isReadOnly: null, configurationChangedAt: null, migrations: null })
  })

  test('reads the state once in 30 seconds, however many pages are open', async () => {
    let readings = 0
    const migrations = async () => {
      readings += 1
      return report
    }
    const { read, clock } = await withInstallation({ migrations })
    await Promise.all([read(), read(), read()])
    clock.advance(29)
    await read()
    expect(readings).toBe(1)
    clock.advance(1)
    await read()
    expect(readings).toBe(2)
  })
})
