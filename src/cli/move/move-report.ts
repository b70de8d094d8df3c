/** The report of a move, as text and as documents. */
import type { Derived, Facts, KindCounts, KindName, LeftRow, PlanDocument, Recognized } from '../../features/move/index.ts'
import type { Output } from '../output.ts'
import { planLines } from './same-schema.ts'

const labels: Readonly<Record<KindName, string>> = {
  user: 'users',
  account: 'accounts',
  organization: 'organizations',
  team: 'teams',
  member: 'members',
  teamMember: 'members of teams',
  organizationRole: 'roles of organizations',
  invitation: 'invitations',
  apikey: 'API keys',
  jwks: 'signing keys',
  twoFactor: 'second factors',
  passkey: 'passkeys',
  session: 'sessions',
  verification: 'verifications',
}

export interface Reasons {
  /** By kind, then by reason, with how many rows and some of their IDs. */
  readonly byKind: Map<KindName, Map<string, { count: number; readonly examples: string[] }>>
}

export const noReasons = (): Reasons => ({ byKind: new Map() })

const mostExamples = 5

/** Counts a row that stays behind, and keeps the first ones of each reason. */
export function addReason({ byKind }: Reasons, { kind, left, field, sourceId }: LeftRow): void {
  const reasons = byKind.get(kind) ?? new Map()
  byKind.set(kind, reasons)
  const reason = field === null ? left : `${left} (${field})`
  const known = reasons.get(reason) ?? { count: 0, examples: [] }
  reasons.set(reason, known)
  known.count += 1
  if (known.examples.length < mostExamples) known.examples.push(sourceId)
}

const format = new Intl.NumberFormat('en-US')
const number = (value: number): string => format.format(value)

/** Rows, how many are moved, how many are not, and why. */
export function countLines(counts: readonly KindCounts[], { byKind }: Reasons, { paint }: Pick<Output, 'paint'>): string[] {
  const width = Math.max(...counts.map(({ kind }) => labels[kind].length), 10)
  const line = (cells: readonly string[]) =>
    `${cells[0]?.padEnd(width)} ${cells
      .slice(1)
      .map((cell) => cell.padStart(11))
      .join(' ')}`
  const lines = [paint.bold(line(['', 'rows', 'moved', 'not moved']))]
  for (const { kind, rows, left } of counts) {
    const reasons = [...(byKind.get(kind) ?? [])].map(([reason, { count, examples }]) => {
      const some = count <= examples.length ? `: ${examples.join(', ')}` : ''
      return `${number(count)} ${reason}${kind === 'session' || kind === 'verification' ? '' : some}`
    })
    const [first = '', ...more] = reasons
    lines.push(`${line([labels[kind], number(rows), number(rows - left), number(left)])}   ${first}`.trimEnd())
    for (const reason of more) lines.push(`${' '.repeat(width + 40)}${reason}`)
  }
  return lines
}

export interface ReportData {
  readonly recognized: Recognized
  readonly from: string
  readonly counts: readonly KindCounts[]
  readonly reasons: Reasons
  readonly derived: Derived
  readonly facts: Facts
  readonly duplicates: readonly { readonly address: string; readonly ids: readonly string[] }[]
  readonly showAddresses: boolean
  /** Whether all email addresses are marked as verified. */
  readonly verifyEmails: boolean
  /** In the same database; null in another one. */
  readonly plan: PlanDocument | null
}

/** `a…@example.com`: enough to find it, and no list of users in a log. */
export function maskedAddress(address: string): string {
  const at = address.lastIndexOf('@')
  return `${[...address][0] ?? ''}…${address.slice(at)}`
}

export function reportLines(data: ReportData, output: Pick<Output, 'paint'>): string[] {
  const { recognized, from, derived, duplicates, showAddresses } = data
  const shown = (address: string) => (showAddresses ? address : maskedAddress(address))
  return [
    output.paint.bold(`Move from better-auth ${recognized.generation} (recognized by ${recognized.evidence})`),
    `${from}: read only, nothing was written`,
    '',
    ...countLines(data.counts, data.reasons, output),
    ...section(
      'Email addresses that several users have',
      duplicates.map(({ address, ids }) => `${shown(address)}: ${ids.join(', ')}`),
      output,
    ),
    ...section(
      'Options that keep the behavior',
      derived.options.map(
        ({ path, value, code, reason }) => `${path}: ${code ?? JSON.stringify(value)}   ${output.paint.dim(reason)}`,
      ),
      output,
    ),
    ...section(
      'What your app meets',
      derived.differences.map(({ title, change, anchor }) => `${title}: ${change} (${anchor})`),
      output,
    ),
    ...section('To do', derived.notes, output),
    ...section('Email addresses that are not verified', unverifiedLines(data), output),
    ...section('In the same database', data.plan ? planLines(data.plan) : [], output),
  ]
}

function unverifiedLines({ facts: { unverifiedUsers }, verifyEmails }: ReportData): string[] {
  if (unverifiedUsers === 0) return []
  const users = unverifiedUsers === 1 ? '1 user' : `${number(unverifiedUsers)} users`
  return [
    verifyEmails ? `${users}: marked as verified (--verify-emails)` : `${users}: stay unverified; --verify-emails marks them`,
  ]
}

const section = (title: string, lines: readonly string[], { paint }: Pick<Output, 'paint'>): string[] =>
  lines.length === 0 ? [] : ['', paint.bold(title), ...lines.map((line) => `  ${line}`)]

export function reportDocument({
  recognized,
  from,
  counts,
  reasons,
  derived,
  facts,
  duplicates,
  showAddresses,
  verifyEmails,
  plan,
}: ReportData): object {
  return {
    version: recognized.generation,
    evidence: recognized.evidence,
    from,
    tables: [...recognized.tables.values()].map(({ kind, table }) => ({ kind, table })),
    counts: counts.map(({ kind, rows, left }) => ({ kind, rows, moved: rows - left, left })),
    left: [...reasons.byKind].flatMap(([kind, found]) =>
      [...found].map(([reason, { count, examples }]) => ({ kind, reason, count, examples })),
    ),
    duplicates: duplicates.map(({ address, ids }) => ({ address: showAddresses ? address : maskedAddress(address), ids })),
    options: derived.options.map(({ path, value, code, reason }) => ({
      path,
      ...(code === undefined ? { value } : { code }),
      reason,
    })),
    differences: derived.differences.map(({ anchor, title, change }) => ({ id: anchor, title, change })),
    notes: derived.notes,
    newestTime: facts.newestTime?.toISOString() ?? null,
    unverified: { users: facts.unverifiedUsers, marked: verifyEmails },
    ...(plan && { sameSchema: plan }),
  }
}
