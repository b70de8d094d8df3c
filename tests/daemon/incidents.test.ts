/** What a command freezes on a running daemon, and on a second one of the same database. */
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { configText, createProject, createServerProject, requireSuccess } from './project.ts'

const options = (port: number) => `server: { port: ${port}, workers: 1 }, rateLimit: { enabled: false }`

test('a freeze takes effect on every daemon, and so does its end', async () => {
  const first = await createServerProject((port) => options(port))
  const second = await createProject('second')
  cpSync(join(first.folder, 'migrations'), join(second.folder, 'migrations'), { recursive: true })
  second.configure(configText(second.port, `database: { url: '${first.database.url}' }, ${options(second.port)}`))
  onTestFinished(async () => {
    for (const project of [first, second]) await project.latchkey(['stop'])
  })
  requireSuccess(await first.latchkey(['start', '--detach']))
  requireSuccess(await first.latchkey(['incident', 'freeze', 'writes']))
  requireSuccess(await second.latchkey(['start', '--detach']))
  const codes = () =>
    Promise.all(
      [first, second].map(async ({ port }) => {
        const url = `http://127.0.0.1:${port}/api/auth/request-password-reset`
        const headers = { 'content-type': 'application/json' }
        const response = await fetch(url, { method: 'POST', headers, body: '{}' })
        return ((await response.json()) as { code: string }).code
      }),
    )
  const within = { timeout: 20_000, interval: 200 }
  await expect.poll(codes, within).toEqual(['READ_ONLY', 'READ_ONLY'])
  requireSuccess(await second.latchkey(['incident', 'unfreeze', 'all']))
  await expect.poll(codes, within).toEqual(['VALIDATION_ERROR', 'VALIDATION_ERROR'])
}, 120_000)
