/** Nothing leaves the machine: a daemon with all features and every command, in a network of their own that only has a loopback interface. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chapters } from '../../src/cli/command-list.ts'
import { endKept, keptFolder } from '../kit/servers/keeper.ts'
import { getBinary, strace } from '../kit/servers/packages.ts'
import { freePort } from '../kit/servers/ports.ts'

const folder = keptFolder('network')
const script = fileURLToPath(new URL('network-run.ts', import.meta.url))

afterAll(endKept)

/** Destinations outside of loopback, and every query of names, that a program and its child processes try to reach. */
async function destinationsOf(name: string, args: readonly string[]) {
  const log = join(folder, `${name}.strace`)
  const tracer = await getBinary(strace)
  const command = [
    tracer,
    '-f',
    '--seccomp-bpf',
    '-e',
    'trace=connect,sendto,sendmsg,sendmmsg',
    '-o',
    log,
    process.execPath,
    ...args,
  ]
  // The last words become the positional parameters of the shell.
  const inside = ['--net', '/bin/sh', '-c', 'ip link set lo up && exec "$@"', 'sh', ...command]
  const { LATCHKEY_COMMAND: _, ...env } = process.env
  const ended = await execa('unshare', inside, { env, extendEnv: false, reject: false, stdin: 'ignore', maxBuffer: 2 ** 26 })
  const calls = readFileSync(log, 'utf8').split('\n')
  const addresses = calls.flatMap((line) => {
    const [, port = '', address = ''] =
      /sin6?_port=htons\((\d+)\).*?(?:inet_addr\(|inet_pton\(AF_INET6, )"([^"]+)"/.exec(line) ?? []
    const isLoopback = /^(127\.|::1$|::ffff:127\.)/.test(address)
    return address === '' || (isLoopback && port !== '53') ? [] : [`${address}:${port}`]
  })
  return { ...ended, calls: calls.length, outside: [...new Set(addresses)] }
}

interface Report {
  readonly isServing: boolean
  readonly statuses: readonly number[]
  readonly ran: readonly (readonly [command: string, line: string, code: number])[]
}

let report: Report
let traced: Awaited<ReturnType<typeof destinationsOf>>

beforeAll(async () => {
  traced = await destinationsOf('all', [script, folder, String(await freePort())])
  report = JSON.parse(traced.stdout)
}, 300_000)

test('a daemon and all commands connect to nothing outside of this machine, and look up no name', () => {
  expect(report.isServing).toBe(true)
  expect(report.statuses).toEqual([200, 200, 200, 200, 200])
  expect(traced.calls).toBeGreaterThan(50)
  expect(traced.outside).toEqual([])
})

test('every command was run, and most of them did their work', async () => {
  const entries = await Promise.all(chapters.flatMap((chapter) => chapter.entries).map(({ load }) => load()))
  const names = entries.flatMap((entry) =>
    'commands' in entry ? entry.commands.map(({ name }) => `${entry.name} ${name}`) : [entry.name],
  )
  const ran = new Set(report.ran.map(([command]) => command))
  expect(names.filter((name) => !ran.has(name))).toEqual(['dev'])
  const withCode = (expected: number) => report.ran.flatMap(([, line, code]) => (code === expected ? [line] : []))
  // An embedded database has no migrations to apply, and standard input has no password.
  expect(withCode(2).filter((line) => !/^migrate (up|down)|--password-stdin$/.test(line))).toEqual([])
  expect(withCode(0).length, withCode(1).join('\n')).toBeGreaterThan((report.ran.length * 2) / 3)
})

test('the trace sees a connection and the look-up of a name', async () => {
  const { outside } = await destinationsOf('control', [
    '-e',
    `require('net').connect(9, '192.0.2.1').on('error', () => {}); require('dns').lookup('latchkey.invalid', () => {})`,
  ])
  expect(outside).toContain('192.0.2.1:9')
  expect(outside.filter((address) => address.endsWith(':53'))).not.toEqual([])
})
