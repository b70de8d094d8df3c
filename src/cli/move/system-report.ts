/** The report of a move: a document for each note with --json, otherwise groups of them with examples. */
import type { MoveLine, PlacedNote, Survey } from '../../features/move/index.ts'
import { reasons } from '../../features/move/readers/index.ts'
import type { LineOutcome } from '../../features/transfer/index.ts'
import { printable } from '../../lib/redact.ts'
import { counted } from '../../lib/text.ts'
import { type ExitCode, exitCodes } from '../../project/failure.ts'
import type { MoveContext } from './system-commands.ts'

export type Report = ReturnType<typeof createReport>

interface Group {
  count: number
  readonly examples: string[]
}

/** Places that the text shows of each group; --json has all. */
const shownPlaces = 5

/** `m…@example.com` */
const masked = (email: string): string => email.replace(/^(.)[^@]*/, '$1…')

const reasonKinds = { 'not-moved': ['error', 'left-out'], moved: ['note'] } as const

interface ReportSource {
  readonly title: string
  readonly files: readonly string[]
}

/** Counts reasons, with places of the first ones. */
function createGroups({ options }: MoveContext, { files }: ReportSource) {
  const groups = new Map<string, Group>()
  const shown = (email: string | null) => (email === null || options.showAddresses ? email : masked(email))
  return {
    groups,
    shown,
    add: (key: string, example: string): void => {
      const group = groups.get(key) ?? { count: 0, examples: [] }
      group.count += 1
      if (group.examples.length < shownPlaces) group.examples.push(example)
      groups.set(key, group)
    },
    place: (file: string, line: number, email: string | null) =>
      [`${files.length > 1 ? `${file} ` : ''}${line}`, shown(email)].filter(Boolean).join(' '),
  }
}

type Counts = Record<LineOutcome['outcome'], number>

export function createReport(context: MoveContext, source: ReportSource) {
  const { output } = context
  const { groups, shown, add, place } = createGroups(context, source)
  const counts: Counts = { created: 0, unchanged: 0, conflict: 0, invalid: 0 }
  return {
    note: ({ reason, field, detail, file, line, id, email }: PlacedNote): void => {
      const { kind, title: message } = reasons[reason]
      const row = { file, line, id, email: shown(email), field, reason, kind, message, ...(detail !== undefined && { detail }) }
      if (output.json) output.record('move-users-row/v1', row, '')
      const isGrouped = reason === 'role' || reason === 'provider' || reason === 'missing-secret'
      const key = `${reason}${isGrouped && detail ? `: ${detail}` : ''}`
      add(key, `${place(file, line, email)}${detail && !isGrouped ? ` (${detail})` : ''}`)
    },
    /** Of the importer. */
    outcome: ({ outcome, message, email }: LineOutcome, line: MoveLine | undefined): void => {
      counts[outcome] += 1
      if (message === null || !line) return
      const row = { file: line.file, line: line.line, id: line.value.user.id ?? null, email: shown(email), outcome, message }
      if (output.json) output.record('move-users-row/v1', { ...row, field: fieldOf(message) }, '')
      add(`${outcome}: ${message}`, place(line.file, line.line, email))
    },
    hasWeakHashes: () => ['weak-hash', 'plain-password'].some((reason) => groups.has(reason)),
    conclude: (survey: Survey, signInSeconds: number): ExitCode =>
      conclude(context, { source, groups, counts, survey, signInSeconds }),
    concludeLines: (survey: Survey, file: string, lines: number): ExitCode => {
      const data = { ...summaryOf(survey), file, lines, droppedMetadata: Object.fromEntries(survey.dropped) }
      const text = [...describeGroups(groups), `Wrote ${counted(lines, 'line')} to ${file}, which has password hashes`]
      output.result('move-users/v1', data, text.map(printable))
      return survey.errors === 0 ? exitCodes.done : exitCodes.failed
    },
  }
}

interface Conclusion {
  readonly source: ReportSource
  readonly groups: ReadonlyMap<string, Group>
  readonly counts: Counts
  readonly survey: Survey
  /** Of a failed sign-in with all schemes. */
  readonly signInSeconds: number
}

function conclude(context: MoveContext, { source, groups, counts, survey, signInSeconds }: Conclusion): ExitCode {
  const { output, options } = context
  const moved = counts.created + counts.unchanged
  const faults = counts.conflict + counts.invalid
  const data = {
    applied: options.apply,
    ...summaryOf(survey),
    ...{ moved, ...counts },
    ...{ notMoved: survey.leftOut + faults, failedSignInSeconds: Number(signInSeconds.toFixed(3)) },
    reasons: Object.fromEntries([...groups].map(([key, { count }]) => [key, count])),
    droppedMetadata: Object.fromEntries(survey.dropped),
  }
  const lines = [...describe(source, data, groups), ...advice(context, data)]
  output.result('move-users/v1', data, lines.map(printable))
  if (survey.errors + faults === 0) return exitCodes.done
  output.failure('Some users were not moved. Fix the export or the configuration, and run the command again.')
  return exitCodes.failed
}

function describe(source: ReportSource, data: Described, all: ReadonlyMap<string, Group>): string[] {
  const state = data.applied ? 'Moved' : 'Report, nothing was written'
  return [
    `${state}: ${source.title}, ${source.files.join(', ')}`,
    '',
    ...table([
      ['in the export', data.users],
      [data.applied ? 'moved' : 'to move', data.moved, details(data)],
      ['joined', data.merged],
      ['not moved', data.notMoved],
    ]),
    '',
    ...describeGroups(all),
    ...describeDropped(data.droppedMetadata),
  ]
}

/** The importer names the member first: `user.createdAt: expected …`. */
const fieldOf = (message: string): string | null => /^([\w.]+): /.exec(message)?.[1] ?? null

const summaryOf = ({ users, leftOut, merged, passwords }: Survey) => ({ users, leftOut, merged, passwords })

interface Described {
  readonly applied: boolean
  readonly users: number
  readonly moved: number
  readonly merged: number
  readonly notMoved: number
  readonly created: number
  readonly unchanged: number
  readonly passwords: number
  readonly failedSignInSeconds: number
  readonly reasons: Readonly<Record<string, number>>
  readonly droppedMetadata: Readonly<Record<string, number>>
}

const details = ({ created, unchanged, passwords }: Described): string =>
  [`${created} new`, ...(unchanged > 0 ? [`${unchanged} unchanged`] : []), counted(passwords, 'password')].join(', ')

const table = (rows: readonly (readonly [name: string, count: number, detail?: string])[]): string[] =>
  rows
    .filter(([name, count]) => count > 0 || name !== 'joined')
    .map(([name, count, detail = '']) => `  ${name.padEnd(16)}${String(count).padStart(9)}  ${detail}`.trimEnd())

function describeGroups(groups: ReadonlyMap<string, Group>): string[] {
  const titled = [...groups].map(([key, group]) => {
    const [name = '', detail] = key.split(/: (.*)/s)
    const known = Object.hasOwn(reasons, name) ? reasons[name as keyof typeof reasons] : null
    const title = known ? [known.title, detail].filter(Boolean).join(': ') : key
    return { kind: known?.kind ?? 'error', title, ...group }
  })
  const listed = (heading: string, kinds: readonly string[]) => {
    const some = titled.filter(({ kind }) => kinds.includes(kind))
    return some.length === 0 ? [] : [heading, ...some.flatMap(describeGroup), '']
  }
  return [...listed('Not moved', reasonKinds['not-moved']), ...listed('Moved, with a note', reasonKinds.moved)]
}

function describeGroup({ title, count, examples }: Group & { readonly title: string }): string[] {
  const more = count > examples.length ? `, and ${count - examples.length} more` : ''
  return [`  ${String(count).padStart(7)}  ${title}`, `           ${examples.join(', ')}${more}`]
}

function describeDropped(dropped: Readonly<Record<string, number>>): string[] {
  const keys = Object.entries(dropped)
  if (keys.length === 0) return []
  const named = keys.slice(0, 20).map(([key, count]) => `${key} (${count})`)
  return ['Dropped metadata, unless a --field takes it', `  ${named.join(', ')}${keys.length > 20 ? ' …' : ''}`, '']
}

/** Hashes of argon2id that one core makes in a second. */
const hashesPerSecond = 40

function advice(context: MoveContext, data: Described): string[] {
  const wrapped = (data.reasons['weak-hash'] ?? 0) + (data.reasons['plain-password'] ?? 0)
  const minutes = Math.ceil(wrapped / hashesPerSecond / 60)
  return [
    `A failed sign-in takes about ${Math.max(1, Math.round(data.failedSignInSeconds * 1000))} ms with these hashes`,
    ...(wrapped > 0 ? [`${counted(wrapped, 'user')} with a weak hash: about ${counted(minutes, 'minute')} on one core`] : []),
    ...(context.options.apply ? [] : ['Next: the same command with --apply']),
  ]
}
