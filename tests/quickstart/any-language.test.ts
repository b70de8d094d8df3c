/** "Any language" and the configuration for production of docs/quickstart.md: every command of the page, with its output. */
import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { createProject, statusOf, until } from '../daemon/project.ts'
import { freePort } from '../kit/servers/index.ts'
import { keptFolder, spawnKept } from '../kit/servers/keeper.ts'
import { documentedOrigin, startLatchkey } from './kit.ts'

const page = readFileSync(new URL('../../docs/quickstart.md', import.meta.url), 'utf8')
const documentedServer = 'http://localhost:3001'

/** The commands of a section that are followed by their output. */
function transcript(heading: string): { command: string; output: string }[] {
  const section = page.slice(page.indexOf(`\n${heading}\n`)).split(/\n## (?!Any)/)[0] ?? ''
  const steps = section.matchAll(/ *```sh\n([\s\S]*?)```\n\n *```(?:json|text)\n([\s\S]*?)```/g)
  return [...steps].map(([, command = '', output = '']) => ({ command, output: output.replaceAll(/^ {3}/gm, '').trim() }))
}

/** JSON with `…` for each text that differs from run to run; other output as it is. */
function comparable(output: string): unknown {
  const isVariable = (key: string) => /^(id|userId|token|userAgent|.*At)$/.test(key)
  try {
    return JSON.parse(output, (key, value) => (typeof value === 'string' && value && isVariable(key) ? '…' : value))
  } catch {
    return output.trim()
  }
}

async function startServer(folder: string, latchkey: string): Promise<string> {
  const origin = `http://localhost:${await freePort()}`
  const text = readFileSync(new URL('server.mjs', import.meta.url), 'utf8')
  const served = text.replaceAll(documentedOrigin, latchkey).replace('3001', new URL(origin).port)
  const child = spawnKept(folder, process.execPath, ['--input-type=module', '--eval', served])
  await until(async () => {
    if (child.exitCode !== null) throw new Error(readFileSync(join(folder, 'output.log'), 'utf8'))
    return (await statusOf(origin).catch(() => 0)) !== 0
  })
  return origin
}

test('the commands of the page print what it says', async () => {
  const latchkey = await startLatchkey()
  const folder = keptFolder('curl')
  const server = await startServer(folder, latchkey)
  const steps = transcript('## Any language')
  expect(steps).toHaveLength(6)
  for (const { command, output } of steps) {
    const typed = command.replaceAll(documentedOrigin, latchkey).replaceAll(documentedServer, server)
    const { stdout } = await execa('bash', ['-c', typed], { cwd: folder })
    expect(comparable(stdout), command).toEqual(comparable(output))
  }
}, 60_000)

test('the server shows nothing while Latchkey is unreachable', async () => {
  const server = await startServer(keptFolder('curl'), `http://localhost:${await freePort()}`)
  expect((await fetch(server, { headers: { cookie: 'latchkey.session_token=any' } })).status).toBe(503)
  // Without a cookie there is nothing to ask.
  expect(await statusOf(server)).toBe(401)
})

test('the configuration for production is valid', async () => {
  const project = await createProject('production')
  const config = fileURLToPath(new URL('auth.config.ts', import.meta.url))
  mkdirSync(join(project.folder, 'production'))
  cpSync(config, join(project.folder, 'production/auth.config.ts'))
  const env = { NODE_ENV: 'production', LATCHKEY_SECRET: 'f8Kq2ZxP7vLw4nTs9bHd3mRy6cJg1aEu', DATABASE_URL: 'sqlite:./test.db' }
  const checked = await project.latchkey(['config', 'check'], env, join(project.folder, 'production'))
  expect(checked).toMatchObject({ exitCode: 0 })
})
