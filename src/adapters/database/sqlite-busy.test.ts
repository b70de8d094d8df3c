import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }

test('a call that waits for another process to write fails in time, and succeeds afterwards', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-busy-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'latchkey.db')
  const { browser } = await testApp({ database: { url: `sqlite:${path}`, queryTimeout: 1000 }, redis: false })
  const visitor = browser()
  expect((await visitor.call('POST /sign-up/email', { body: ann })).status).toBe(200)
  const other = new DatabaseSync(path)
  onTestFinished(() => other.close())
  other.exec('begin immediate')
  const start = performance.now()
  const answer = await visitor.call('POST /update-user', { body: { name: 'Anna' } })
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
  expect(performance.now() - start).toBeLessThan(2500)
  other.exec('rollback')
  expect((await visitor.call('POST /update-user', { body: { name: 'Anna' } })).status).toBe(200)
})
