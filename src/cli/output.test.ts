import { readFileSync } from 'node:fs'
import { Readable, Writable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { exitCodes, Failure, toFailure } from '../project/failure.ts'
import { createOutput, type OutputOptions, printFailure } from './output.ts'

function capture(options: Partial<OutputOptions> = {}, isTTY = false) {
  const texts = { stdout: '', stderr: '' }
  const stream = (name: keyof typeof texts) =>
    Object.assign(
      new Writable({
        write(chunk, _, done) {
          texts[name] += String(chunk)
          done()
        },
      }),
      { isTTY },
    )
  const streams = { stdin: Object.assign(Readable.from([]), { isTTY }), stdout: stream('stdout'), stderr: stream('stderr') }
  const output = createOutput({
    json: false,
    quiet: false,
    debug: false,
    color: true,
    env: {},
    cwd: '/elsewhere',
    streams,
    ...options,
  })
  return { output, texts, streams }
}

describe('output', () => {
  test('puts data on standard output and everything else on standard error', () => {
    const { output, texts } = capture()
    output.info('working')
    output.warn('careful')
    output.result('x/v1', { a: 1 }, ['one', 'two'])
    expect(texts).toEqual({ stdout: 'one\ntwo\n', stderr: 'working\n! careful\n' })
  })
  test('is one document with its schema with --json', () => {
    const { output, texts } = capture({ json: true })
    output.success('done')
    output.result('x/v1', { a: 1 }, 'text')
    expect(JSON.parse(texts.stdout)).toEqual({ schema: 'x/v1', a: 1 })
  })
  test('is one document a line for streams', () => {
    const { output, texts } = capture({ json: true })
    output.record('x/v1', { a: 1 }, 'one')
    output.record('x/v1', { a: 2 }, 'two')
    expect(
      texts.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).a),
    ).toEqual([1, 2])
  })
  test.each([
    ['LOCK_HELD', 'lock-held'],
    // A rule of the API that a command has broken.
    ['PASSWORD_TOO_SHORT', 'codes-of-the-api'],
  ])('names the section of the docs for the code %s, which exists', (code, anchor) => {
    const { output, texts } = capture({ json: true })
    printFailure(new Failure(code, 'It failed', { exitCode: exitCodes.failed }), output)
    const [page = '', found] = JSON.parse(texts.stdout).docs.split('#')
    expect(found).toBe(anchor)
    expect(readFileSync(page, 'utf8')).toContain(`\n## ${anchor}\n`)
  })
  test('keeps progress to itself with --quiet, but no warning', () => {
    const { output, texts } = capture({ quiet: true })
    output.info('working')
    output.success('done')
    output.warn('careful')
    expect(texts.stderr).toBe('! careful\n')
  })
  test.each([
    ['a terminal', {}, true, true],
    ['no terminal', {}, false, false],
    ['NO_COLOR', { env: { NO_COLOR: '1' } }, true, false],
    ['an empty NO_COLOR', { env: { NO_COLOR: '' } }, true, true],
    ['TERM=dumb', { env: { TERM: 'dumb' } }, true, false],
    ['--no-color', { color: false }, true, false],
  ])('with %s decides about colors', (_, options, isTTY, expected) => {
    expect(capture(options, isTTY).output.paint.red('x') !== 'x').toBe(expected)
  })
  test('reports a closed reader, which is not a failure', () => {
    const { output, streams } = capture()
    streams.stdout.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
    expect(output.closed.aborted).toBe(true)
  })
})

describe('a failure', () => {
  const failure = new Failure('LOCK_HELD', 'Held', {
    exitCode: exitCodes.locked,
    hint: 'Wait',
    details: [{ id: 'a', path: 'b.c', message: 'is wrong', hint: 'Repair' }],
  })
  test('says what happened, where, and what to do', () => {
    const { output, texts } = capture()
    printFailure(failure, output)
    expect(texts).toEqual({ stdout: '', stderr: '✗ Held\n  b.c: is wrong\n    Repair\nWait\n' })
  })
  test('is the one document with --json', () => {
    const { output, texts } = capture({ json: true })
    printFailure(failure, output)
    expect(JSON.parse(texts.stdout)).toEqual({
      schema: 'error/v1',
      code: 'LOCK_HELD',
      message: 'Held',
      hint: 'Wait',
      docs: expect.stringMatching(/^\/.*\/docs\/errors\.md#lock-held$/),
      retryable: true,
      exitCode: 7,
      details: [{ id: 'a', path: 'b.c', message: 'is wrong', hint: 'Repair' }],
    })
  })
  test('adds no second document to one that was written', () => {
    const { output, texts } = capture({ json: true })
    output.result('x/v1', {}, [])
    printFailure(failure, output)
    expect(JSON.parse(texts.stdout)).toEqual({ schema: 'x/v1' })
  })
  test('shows a stack only with --debug', async () => {
    const shown = async (debug: boolean) => {
      const { output, texts } = capture({ debug })
      printFailure(await toFailure(new Error('boom'), null), output)
      return texts.stderr
    }
    expect(await shown(false)).not.toContain('    at ')
    expect(await shown(true)).toContain('    at ')
  })
  test('of an unexpected kind hides the password of an address', async () => {
    expect((await toFailure(new Error('cannot reach mysql://me:hunter2@h/d'), null)).message).toBe('cannot reach mysql://***@h/d')
  })
  test('is exit code 6 when the database is unreachable', async () => {
    expect(await toFailure(new Error('gone'), () => true)).toMatchObject({ exitCode: 6, retryable: true })
  })
})
