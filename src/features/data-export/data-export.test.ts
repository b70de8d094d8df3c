import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { mergeTables } from '../../core/table.ts'
import type { ConfigFile } from '../index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const additionalFields = {
  company: { type: 'string', required: false },
  internalNote: { type: 'string', required: false, input: false, returned: false },
} satisfies NonNullable<ConfigFile['user']>['additionalFields']

async function withAnn(config: ConfigFile = {}) {
  const kit = await testApp({ user: { additionalFields }, session: { additionalFields }, ...config })
  const visitor = kit.browser()
  await visitor.request('/sign-up/email', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...ann, company: 'Acme' }),
  })
  const { id } = await kit.app.db.selectFrom('user').select('id').executeTakeFirstOrThrow()
  return { ...kit, visitor, id }
}

describe('GET /export-data', () => {
  test('returns the user with the rows that belong to them, as a file', async () => {
    const { browser, visitor, id } = await withAnn()
    await browser().call('POST /sign-up/email', { body: { ...ann, email: 'eve@example.com', name: 'Éve' } })
    const { status, headers, body } = await visitor.call('GET /export-data', {})
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(headers.get('content-disposition')).toBe('attachment; filename="data-export.json"')
    expect(body).toMatchObject({
      exportedAt: '2026-01-31T12:00:00.000Z',
      user: { id, name: 'Ann', email: ann.email, company: 'Acme' },
      session: [{ userId: id, createdAt: '2026-01-31T12:00:00.000Z' }],
      account: [{ userId: id, providerId: 'credential' }],
    })
    expect(JSON.stringify(body)).not.toContain('Éve')
  })

  test('contains no hidden column and no token', async () => {
    const { app, browser, visitor, id } = await withAnn()
    await browser().call('POST /sign-in/email', { body: ann })
    const current = await app.db.selectFrom('session').select('tokenHash').orderBy('createdAt').execute()
    const planted: string[] = []
    for (const [table, columns] of Object.entries(mergeTables(app.features))) {
      const owner = table === 'user' ? 'id' : Object.keys(columns).find((name) => columns[name]?.references?.table === 'user')
      const texts = Object.entries(columns).filter(
        ([, { hidden, kind, unique }]) => hidden && !unique && /string|text/.test(kind),
      )
      if (owner === undefined) continue
      for (const [name] of texts) {
        const marker = `marker ${table} ${name}`
        await app.db
          .updateTable(table as 'user')
          .set({ [name]: marker })
          .where(owner as 'id', '=', id)
          .execute()
        planted.push(marker)
      }
    }
    expect(planted).toEqual(
      expect.arrayContaining(['marker account password', 'marker account accessToken', 'marker user internalNote']),
    )
    const { status, body } = await visitor.call('GET /export-data', {})
    const text = JSON.stringify(body)
    expect([status, body.session.length]).toEqual([200, 2])
    const [token = ''] = decodeURIComponent([...visitor.cookies.values()].join()).split('.')
    for (const secret of ['marker', 'tokenHash', 'accessRevision', token, ...current.map(({ tokenHash }) => tokenHash)])
      expect(text).not.toContain(secret)
  })

  test('requires a fresh session', async () => {
    const { browser, clock, visitor } = await withAnn({ session: { freshAge: 60 } })
    expect((await browser().call('GET /export-data', {})).status).toBe(401)
    clock.advance(61)
    const { status, body } = await visitor.call('GET /export-data', {})
    expect([status, body.code]).toEqual([403, 'SESSION_IS_NOT_FRESH'])
  })
})
