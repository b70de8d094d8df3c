/** `migrate status` as text: a paragraph for each kind of finding, with what to type about it. */
import type { Status } from '../migrate/index.ts'
import { changeLines, counted } from './migration-view.ts'
import type { Palette } from './output.ts'

interface View {
  readonly clean: boolean
  readonly isEmbedded: boolean
  readonly paint: Palette
}

export function statusLines(status: Status, { clean, isEmbedded, paint }: View): string[] {
  const applied = isEmbedded ? 'Embedded database' : `${counted(status.applied, 'migration')} applied`
  if (clean) return [`${applied}; everything is as it should be`]
  const section = (title: string, lines: readonly string[], mend: string) =>
    lines.length === 0 ? [] : ['', paint.bold(title), ...lines.map((line) => `  ${line}`), `  ${paint.dim('→')} ${mend}`]
  const drift = status.drift.map(({ message }) => `${paint.yellow('~')} ${message}`)
  const driftMend = isEmbedded
    ? 'It follows the configuration when the daemon starts'
    : 'Somebody else changed the database: put it back, or declare what it should be'
  return [
    applied,
    ...section('Needed, but in no migration', changeLines(status.ungenerated, paint), 'latchkey migrate generate'),
    ...section(
      'Pending',
      status.pending.map((name) => `${paint.green('+')} ${name}`),
      'latchkey migrate up',
    ),
    ...section(
      'Interrupted, or under way',
      status.interrupted.map(({ name, direction }) => `${paint.yellow('~')} ${name} ${direction}`),
      'latchkey migrate up',
    ),
    ...section(
      'Edited after it was applied',
      status.edited.map((name) => `${paint.yellow('~')} ${name}`),
      'Restore the file, and put the change into a new one',
    ),
    ...section(
      'Applied, but no longer there',
      status.missing.map((name) => `${paint.red('-')} ${name}`),
      'Restore the file',
    ),
    ...section('The database differs', drift, driftMend),
  ]
}
