import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { followLines, readLastLines } from '../../src/daemon/log-file.ts'
import { createProject, createServerProject, type Project, requireSuccess, until } from './project.ts'

function logFile(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-log-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'log'), text)
  return join(folder, 'log')
}

/** Collects what is added, until the test is over. */
function follow(path: string): string[] {
  const seen: string[] = []
  const over = new AbortController()
  const done = (async () => {
    for await (const line of followLines(path, readLastLines(path, 0).end, over.signal)) seen.push(line)
  })()
  onTestFinished(() => {
    over.abort()
    return done
  })
  return seen
}

describe('the last lines of a log', () => {
  test('are returned in the requested number, whatever their length', () => {
    const long = 'x'.repeat(100_000)
    const path = logFile(`one\n${long}\nthree\n`)
    expect(readLastLines(path, 2).lines).toEqual([long, 'three'])
    expect(readLastLines(path, 9).lines).toEqual(['one', long, 'three'])
    expect(readLastLines(path, 0).lines).toEqual([])
    expect(readLastLines(logFile('no end'), 3).lines).toEqual(['no end'])
    expect(readLastLines(logFile(''), 3).lines).toEqual([])
    expect(readLastLines(logFile('über\nälter\n'), 1).lines).toEqual(['älter'])
  })

  test('are followed by added lines, whole ones only', async () => {
    const path = logFile('old\n')
    const seen = follow(path)
    appendFileSync(path, 'ha')
    appendFileSync(path, 'lf\nsecond\n')
    await until(() => seen.length === 2)
    expect(seen).toEqual(['half', 'second'])
  })

  test('are followed across a truncation and a rotation', async () => {
    const path = logFile('old\n')
    const seen = follow(path)
    appendFileSync(path, 'before\n')
    await until(() => seen.length === 1)
    truncateSync(path)
    appendFileSync(path, 'x\n')
    await until(() => seen.length === 2)
    renameSync(path, `${path}.1`)
    appendFileSync(`${path}.1`, 'late\n')
    writeFileSync(path, 'fresh\n')
    await until(() => seen.length === 4)
    expect(seen).toEqual(['before', 'x', 'late', 'fresh'])
  })
})

describe('logs', () => {
  test('shows the last lines of a running and of an ended daemon', async () => {
    const project = await createProject()
    await project.latchkey(['start', '--detach'])
    const running = await project.latchkey(['logs', '-n', '1'])
    expect(running.stdout.split('\n')).toHaveLength(1)
    const seen = (await project.latchkey(['logs'])).stdout.split('\n')
    const serving = seen.findIndex((line) => line.includes('The daemon is serving'))
    expect(serving).toBeGreaterThanOrEqual(0)
    // That line, or one that a job has written after it.
    expect(seen.slice(serving)).toContain(running.stdout)
    await project.latchkey(['stop'])
    const { stdout } = await project.latchkey(['logs', '--json'])
    const lines = stdout.split('\n').map((line) => JSON.parse(line))
    expect(lines.every(({ schema }) => schema === 'logs/v1')).toBe(true)
    expect(lines.map(({ msg }) => msg)).toContain('The daemon is stopping')
  })

  test('follows until Ctrl-C and prints no error', async () => {
    const project = await createProject()
    const log = join(project.folder, '.latchkey/daemon.log')
    mkdirSync(join(project.folder, '.latchkey'))
    writeFileSync(log, 'earlier\n')
    const following = project.launch(['logs', '-f'])
    await until(() => readFileSync(join(project.folder, 'output.log'), 'utf8').includes('earlier'))
    appendFileSync(log, 'not JSON\n')
    await until(() => following.output().includes('not JSON'))
    following.child.kill('SIGINT')
    expect(await following.ended()).toBe(130)
    expect(following.output()).toBe('earlier\nnot JSON\n')
  })

  test('reports a missing and an unreadable log', async () => {
    const project = await createProject()
    expect((await project.latchkey(['logs', '--json'])).json()).toMatchObject({ code: 'LOG_MISSING' })
    mkdirSync(join(project.folder, '.latchkey/daemon.log'), { recursive: true })
    expect((await project.latchkey(['logs', '--json'])).json()).toMatchObject({ code: 'LOG_UNREADABLE' })
  })

  test('reports that a foreground daemon logs to its terminal', async () => {
    const project = await createProject()
    await project.serve()
    expect((await project.latchkey(['logs', '--json'])).json()).toMatchObject({ code: 'LOG_ELSEWHERE' })
  })
})

/** One daemon with two workers, which log every request and what a hook prints. */
async function createLoggingProject() {
  const hook = `before: ({ headers }) => { const note = headers.get('x-note'); if (note) console.log(note) }`
  const project = await createServerProject(
    (port) => `server: { port: ${port}, workers: 2 }, log: { level: 'debug' }, hooks: { ${hook} }`,
  )
  requireSuccess(await project.latchkey(['start', '--detach']))
  return { project, log: join(project.folder, '.latchkey/daemon.log') }
}

/** Over a connection of its own, so that the workers take turns. @returns the request ID */
async function requestOnce({ api }: Project, note = ''): Promise<string> {
  const response = await fetch(`${api}/ok`, { headers: { connection: 'close', 'x-note': note } })
  return response.headers.get('x-request-id') ?? ''
}

const linesOf = (log: string): string[] =>
  readdirSync(join(log, '..'))
    .filter((name) => name.startsWith('daemon.log'))
    .flatMap((name) => readFileSync(join(log, '..', name), 'utf8').split('\n'))
    .filter(Boolean)

describe('log rotation', () => {
  test('loses no line while two workers write, and needs no signal', async () => {
    const { project, log } = await createLoggingProject()
    const ids: string[] = []
    for (let round = 1; round <= 4; round += 1) {
      ids.push(await requestOnce(project))
      const running = Array.from({ length: 40 }, () => requestOnce(project))
      await running[0]
      renameSync(log, `${log}.${round}`)
      ids.push(...(await Promise.all(running)))
    }
    const last = await requestOnce(project)
    const logged = () => linesOf(log).flatMap((line) => JSON.parse(line).requestId ?? [])
    await until(() => logged().length > ids.length)
    expect(logged().sort()).toEqual([...ids, last].sort())
    expect(readFileSync(log, 'utf8')).toContain(last)
    expect((statSync(log).mode & 0o777).toString(8)).toBe('600')
    await project.latchkey(['stop'])
    expect(readFileSync(log, 'utf8')).toContain('The daemon is stopping')
  })

  test('with copytruncate continues at the start of the file', async () => {
    const { project, log } = await createLoggingProject()
    copyFileSync(log, `${log}.1`)
    truncateSync(log)
    const id = await requestOnce(project)
    await until(() => readFileSync(log, 'utf8').includes(id))
    const lines = readFileSync(log, 'utf8').trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).requestId)).toContain(id)
  })

  test('keeps what hooks print, whole lines in the new file', async () => {
    const { project, log } = await createLoggingProject()
    renameSync(log, `${log}.1`)
    const notes = Array.from({ length: 30 }, (_, index) => `note ${index} ${'x'.repeat(500)}`)
    await Promise.all(notes.map((note) => requestOnce(project, note)))
    await until(() => readFileSync(log, 'utf8').split('note ').length === 31)
    expect(
      readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line.startsWith('note '))
        .sort(),
    ).toEqual(notes.sort())
    await project.latchkey(['stop'])
  })

  test('is followed by logs -f', async () => {
    const { project, log } = await createLoggingProject()
    const following = project.launch(['logs', '-f', '-n', '50'])
    await until(() => following.output().includes('serving'))
    const before = await requestOnce(project)
    renameSync(log, `${log}.1`)
    const after = await requestOnce(project)
    await until(() => following.output().includes(after))
    expect(following.output()).toContain(before)
    following.child.kill('SIGINT')
    await following.ended()
  })

  test('does not stop the daemon when the new file cannot be created: lines go to the old file', async () => {
    const { project, log } = await createLoggingProject()
    renameSync(log, `${log}.1`)
    mkdirSync(log)
    const id = await requestOnce(project)
    expect(id).not.toBe('')
    expect(readFileSync(`${log}.1`, 'utf8')).toContain(id)
    rmSync(log, { recursive: true })
    const next = await requestOnce(project)
    expect(readFileSync(log, 'utf8')).toContain(next)
  })
})
