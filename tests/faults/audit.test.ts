/** `kill -9` of the daemon while it numbers events: none is lost, gets two numbers, or is counted twice. */
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { configText, createProject, type Project } from '../daemon/project.ts'

const options = `rateLimit: { enabled: false },`
const rounds = 3

/** The database of the daemon; a lock that the daemon holds is waited for. */
function openDatabase({ folder }: Project): DatabaseSync {
  return new DatabaseSync(`${folder}/test.db`, { timeout: 30_000 })
}

/** Events that the API has recorded; the rejected calls themselves are not awaited. */
function eventsOf(project: Project): { readonly id: string; readonly sequence: number | null }[] {
  const db = openDatabase(project)
  const rows = db.prepare('select id, sequence from auditEvent order by sequence').all()
  db.close()
  return rows.map(({ id, sequence }) => ({ id: String(id), sequence: sequence === null ? null : Number(sequence) }))
}

/** Read at one moment: the events with a number, and how many the statistics have counted. */
function countedOf(project: Project): readonly [numbered: number, counted: number] {
  const db = openDatabase(project)
  const found = db
    .prepare(
      `select (select count(*) from auditEvent where sequence is not null) as numbered,
        (select sum(value) from statistic where series = 'event' and unit = 'hour') as counted`,
    )
    .get()
  db.close()
  return [Number(found?.numbered), Number(found?.counted)]
}

/** Many rows that wait for their number, as after a pause of the daemon; copies of one event with an address, so neither matches. */
function addEvents(project: Project, round: number): void {
  const db = openDatabase(project)
  const columns = db
    .prepare('select * from auditEvent limit 1')
    .columns()
    .map(({ name }) => name)
  const copied = columns.filter((name) => !['id', 'sequence', 'hash'].includes(name)).map((name) => `"${name}"`)
  const insert = db.prepare(
    `insert into auditEvent (id, ${copied}) select ?, ${copied} from auditEvent where ipHash is not null limit 1`,
  )
  db.exec('begin immediate')
  for (let count = 0; count < 3000; count += 1) insert.run(`copy-${round}-${count}`)
  db.exec('commit')
  db.close()
}

async function numbered(project: Project, least: number): Promise<void> {
  await expect
    .poll(() => eventsOf(project).filter(({ sequence }) => sequence !== null).length, { timeout: 60_000, interval: 20 })
    .toBeGreaterThanOrEqual(least)
}

test('every event gets one number, without gaps, and is counted once', { timeout: 240_000 }, async () => {
  const project = await createProject('faults')
  project.configure(
    configText(project.port, `server: { port: ${project.port} }, database: { url: 'sqlite:./test.db' }, ${options}`),
  )
  await project.serve(['start', '--migrate'])
  await fetch(`${project.api}/list-sessions`)
  await numbered(project, 1)
  for (let round = 0; round < rounds; round += 1) {
    const known = eventsOf(project).length
    addEvents(project, round)
    await numbered(project, known + 1)
    const { pid } = project.state() ?? {}
    if (!pid) throw new Error('the daemon does not run')
    process.kill(-pid, 'SIGKILL')
    const [numberedThen, countedThen] = countedOf(project)
    expect(countedThen).toBe(numberedThen)
    const before = eventsOf(project)
    expect(before.length).toBeGreaterThanOrEqual(known + 3000)
    await project.serve(['start', '--migrate'])
    await numbered(project, before.length)
    expect(eventsOf(project).filter(({ id }) => before.some((event) => event.id === id))).toHaveLength(before.length)
  }
  const numbers = eventsOf(project).flatMap(({ sequence }) => (sequence === null ? [] : [sequence]))
  expect(numbers).toEqual(numbers.map((_, position) => position + 1))
  const [numberedLast, countedLast] = countedOf(project)
  expect(countedLast).toBe(numberedLast)
  const { stdout } = await project.latchkey(['audit', 'verify', '--json'])
  // Only the copies are reported: each as inserted, none as removed or reordered.
  const kinds = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .flatMap(({ kind }) => (kind ? [kind] : []))
  expect(new Set(kinds)).toEqual(new Set(['inserted', 'address']))
})
