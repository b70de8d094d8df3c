/** Migrations as text. */
import type { Applied, Change } from '../migrate/index.ts'
import type { Palette } from './output.ts'

/** One line for each change: what it does, its name, its class when it is more than safe. */
export const changeLines = (changes: readonly Change[], paint: Palette): string[] => {
  const width = Math.max(0, ...changes.map(({ name }) => name.length))
  return changes.map((change) => `${mark(change.name, paint)} ${change.name.padEnd(width)}  ${classTag(change.class, paint)}`)
}

function mark(name: string, paint: Palette): string {
  if (name.startsWith('drop-')) return paint.red('-')
  return name.startsWith('change-') ? paint.yellow('~') : paint.green('+')
}

function classTag(of: string | null, paint: Palette): string {
  if (of === 'destructive') return paint.red(of)
  return of === 'needs-lock' ? paint.yellow(of) : paint.dim(of ?? 'by hand')
}

export const sqlLines = (statements: readonly string[]): string[] => [
  '',
  ...statements.map((sql) => `${sql.replace(/;?\s*$/, '')};`),
]

/** Each migration with its changes. @param sql whether the statements are shown too */
export const appliedLines = (applied: readonly Applied[], paint: Palette, sql: boolean): string[] =>
  applied.flatMap(({ name, direction, resumed, statements }) => {
    const changes = statements.flatMap(({ change, class: of }) =>
      change === null ? [] : [`  ${mark(change, paint)} ${change}  ${classTag(of, paint)}`],
    )
    const title = `${direction === 'up' ? '↑' : '↓'} ${paint.bold(name)} (${counted(statements.length, 'statement')}${resumed ? ', resumed' : ''})`
    return [title, ...changes, ...(sql ? sqlLines(statements.map((statement) => statement.sql)) : [])]
  })

export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
