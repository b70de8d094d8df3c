import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { createLog, type LogOptions } from './log.ts'

async function capture(options: Partial<LogOptions> = {}) {
  const lines: string[] = []
  const log = await createLog({ level: 'debug', pretty: false, destination: { write: (line) => lines.push(line) }, ...options })
  return { log, lines, text: () => lines.join('') }
}

describe('the log', () => {
  test('writes one JSON document per line, with time in UTC, level and message', async () => {
    const { log, lines } = await capture()
    log.info({ requestId: 'r1' }, 'served')
    log.warn({ text: 'two\nlines' }, 'also\nhere')
    expect(lines).toHaveLength(2)
    expect(lines.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'info',
      requestId: 'r1',
      msg: 'served',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
  })
  test('omits lines below its level', async () => {
    const { log, lines } = await capture({ level: 'warn' })
    log.debug({}, 'a')
    log.info({}, 'b')
    log.warn({}, 'c')
    log.error({}, 'd')
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['c', 'd'])
  })
  test('contains no secret, neither from a line nor from a child logger', async () => {
    const { log, text } = await capture()
    log.child({ token: 'hunter22', headers: { cookie: 'hunter22' } }).info({ password: 'hunter22' }, 'a')
    log
      .child({ a: 1 })
      .child({ error: new Error('mysql://app:hunter22@db') })
      .error({ url: 'redis://:hunter22@cache' }, 'b')
    expect(text()).not.toContain('hunter22')
    expect(text()).toContain('"a":1')
  })
  test.each(['err', 'error', 'reason'])('describes an error named %s with its cause', async (name) => {
    const { log, lines } = await capture()
    const error = Object.assign(new Error('outer', { cause: new TypeError('inner') }), { code: 'E1', sql: `select 'hunter22'` })
    log.error({ [name]: error }, 'failed')
    const line = JSON.parse(lines[0] ?? '')
    expect(line[name]).toMatchObject({
      type: 'Error',
      message: 'outer',
      code: 'E1',
      cause: { type: 'TypeError', message: 'inner' },
    })
    expect(line[name].stack).toContain('log.test.ts')
    expect(lines[0]).not.toContain('hunter22')
  })
})

describe('the log at a terminal', () => {
  test('shows time, level, message and fields', async () => {
    const { log, text } = await capture({ pretty: true })
    log.info({ path: '/ok' }, 'served')
    expect(text()).toMatch(/^\[\d\d:\d\d:\d\d\.\d{3}\] INFO.*: served\n {4}path: "\/ok"\n$/)
  })
  test('shows the frames of an error', async () => {
    const { log, text } = await capture({ pretty: true })
    log.error({ error: new Error('outer') }, 'failed')
    expect(text()).toMatch(/Error: outer\n\s+at .*log\.test\.ts/)
  })
  test('escapes line breaks and colours in texts', async () => {
    const { log, text } = await capture({ pretty: true })
    const hostile = 'a\n[00:00:00.000] INFO: forged\r\u001b[31m\u009b31m'
    log.info({ path: hostile, fields: { [`x${hostile}`]: 1 }, error: new Error(hostile) }, hostile)
    expect(text()).not.toMatch(/^\[00:00:00\.000\] INFO: forged/m)
    expect(text().replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
  })
  test('uses colours when enabled', async () => {
    const { log, text } = await capture({ pretty: true, colour: true })
    log.info({}, 'served')
    expect(text()).toContain('\u001b[32m')
  })
})

test.each([false, true])('loses no line when the process exits immediately (pretty: %s)', async (pretty) => {
  const script = `
    const { createLog } = await import(${JSON.stringify(fileURLToPath(new URL('./log.ts', import.meta.url)))})
    const log = await createLog({ level: 'info', destination: 1, pretty: ${pretty} })
    for (let n = 0; n < 2000; n += 1) log.info({ n }, 'line')
    process.exit(0)`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], { maxBuffer: 1e7 })
  expect(stdout.match(/line$|"line"/gm)).toHaveLength(2000)
  expect(stdout).toContain('1999')
})
