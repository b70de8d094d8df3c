import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, test, vi } from 'vitest'

const here = (file: string): string => new URL(file, import.meta.url).href
const owner = `
  const { startRedis } = await import('${here('redis.ts')}')
  const { keptFolder } = await import('${here('keeper.ts')}')
  const server = await startRedis()
  process.stdout.write(JSON.stringify({ urls: [server.url], folder: keptFolder('mine') }) + '\\n')
`

interface Owned {
  readonly urls: readonly string[]
  readonly folder: string
}

async function startOwner(args: readonly string[]): Promise<{ child: ChildProcess; owned: Owned }> {
  // A server that was given to this run would not be gone with the other one.
  const { TEST_DATABASE_URL: _database, TEST_REDIS_URL: _redis, ...env } = process.env
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const said: string[] = []
  child.stderr.on('data', (chunk) => said.push(String(chunk)))
  for await (const line of createInterface(child.stdout)) {
    if (line.startsWith('{')) return { child, owned: JSON.parse(line) }
    said.push(line)
  }
  throw new Error(`ended without a server:\n${said.join('\n')}`)
}

const listens = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

async function isAllGone({ urls, folder }: Owned): Promise<boolean> {
  const listening = await Promise.all(urls.map(listens))
  return !listening.includes(true) && !existsSync(folder)
}

const within = { timeout: 15_000, interval: 50 }
const stays = 'setInterval(() => undefined, 1000)'
const endings: readonly [how: string, rest: string, act: (child: ChildProcess) => void][] = [
  ['is killed', stays, (child) => void child.kill('SIGKILL')],
  ['is interrupted', stays, (child) => void child.kill('SIGINT')],
  ['throws', 'throw new Error()', () => undefined],
  ['exits without a word', 'process.exit(0)', () => undefined],
  ['has nothing left to do', '', () => undefined],
]

describe('a server and its data are removed when the process that started it', () => {
  test.each(endings)('%s', async (_how, rest, act) => {
    const { child, owned } = await startOwner(['--input-type=module', '-e', `${owner};${rest}`])
    act(child)
    await vi.waitUntil(() => isAllGone(owned), within)
    expect(existsSync(owned.folder)).toBe(false)
  })
})

describe('all servers of a run, shared ones and those of its workers, are removed when the run', () => {
  const vitest = fileURLToPath(new URL('vitest.mjs', import.meta.resolve('vitest/package.json')))
  const config = fileURLToPath(here('killed-run/vitest.config.ts'))

  test.each(['SIGKILL', 'SIGINT', 'SIGTERM'] as const)('gets a %s', async (signal) => {
    const { child, owned } = await startOwner([vitest, 'run', '--config', config, '--reporter', 'verbose'])
    expect(await Promise.all(owned.urls.map(listens))).toEqual([true, true, true])
    child.kill(signal)
    await vi.waitUntil(() => isAllGone(owned), within)
    expect(existsSync(owned.folder)).toBe(false)
  })
})
