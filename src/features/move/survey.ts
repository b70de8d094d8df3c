/**
 * The two readings of an export. The first one finds all faults and all duplicates before anything is written; the second one returns
 * the lines to import.
 */
import type { App } from '../../core/app.ts'
import { readImportedHash } from '../../lib/imported-hashes.ts'
import { writeWrapped } from '../../lib/password-formats.ts'
import { readWeakHash } from '../../lib/weak-hashes.ts'
import { type PasswordCost, passwordCosts } from '../password-hashes/index.ts'
import { type MovedUser, type MoveOptions, type PreparedUser, prepareUser } from './prepare-user.ts'
import { isRemark, type Note, reasons, type SourceItem, type SourceUser } from './readers/index.ts'

/** A note with its place and user. */
export interface PlacedNote extends Note {
  readonly file: string
  readonly line: number
  readonly id: string | null
  readonly email: string | null
}

/** Who had an address or an ID first. */
interface Known {
  readonly position: number
  readonly file: string
  readonly line: number
  /** With `merge` only. */
  readonly user: MovedUser | undefined
}

interface Merge {
  readonly users: readonly MovedUser[]
}

export interface Survey {
  /** Of the export. */
  users: number
  leftOut: number
  merged: number
  errors: number
  passwords: number
  /** Positions of the users who are left out. */
  readonly excluded: Set<number>
  /** Positions of users whose username or phone number another user has. */
  readonly withoutNames: Set<number>
  /** By position of the user who stays. */
  readonly merges: Map<number, Merge>
  /** How many users have each key of metadata that is dropped. */
  readonly dropped: Map<string, number>
  readonly missingSecrets: Set<string>
  /** Work of the most expensive hash of each scheme. */
  readonly costs: Map<string, number>
}

const emptySurvey = (): Survey => ({
  ...{ users: 0, leftOut: 0, merged: 0, errors: 0, passwords: 0 },
  ...{ excluded: new Set(), withoutNames: new Set(), merges: new Map(), dropped: new Map() },
  ...{ missingSecrets: new Set(), costs: new Map() },
})

/** Positions by address and ID, and lines by position: an export may have millions of users. */
interface Seen {
  readonly emails: Map<string, number>
  readonly ids: Map<string, number>
  readonly names: Set<string>
  readonly lines: number[]
  /** Each with the position of its first user. */
  readonly files: { readonly name: string; readonly first: number }[]
  /** With `merge` only. */
  readonly users: Map<number, MovedUser>
}

function findKnown({ lines, files, users }: Seen, position: number | undefined): Known | null {
  if (position === undefined) return null
  const file = files.findLast(({ first }) => first <= position)?.name ?? ''
  return { position, file, line: lines[position] ?? 0, user: users.get(position) }
}

/** @param report gets each note, in the order of the export */
export async function surveyUsers(
  app: App,
  items: AsyncIterable<SourceItem>,
  options: MoveOptions,
  report: (note: PlacedNote) => void,
): Promise<Survey> {
  const survey = emptySurvey()
  const seen: Seen = { emails: new Map(), ids: new Map(), names: new Set(), lines: [], files: [], users: new Map() }
  let position = -1
  for await (const item of items) {
    if (isRemark(item)) {
      report({ ...item.remark, file: item.file, line: item.line, id: null, email: null })
      continue
    }
    position += 1
    survey.users += 1
    seen.lines.push(item.line)
    if (seen.files.at(-1)?.name !== item.file) seen.files.push({ name: item.file, first: position })
    const prepared = await prepareUser(app, item, options)
    const admitted = prepared.moved ? admit(prepared, { item, position, survey, seen, options }) : prepared.notes
    for (const note of admitted) {
      if (reasons[note.reason].kind === 'error') survey.errors += 1
      if (note.reason === 'missing-secret') survey.missingSecrets.add(note.detail ?? '')
      report({ ...note, file: item.file, line: item.line, id: item.id, email: item.email })
    }
    if (prepared.moved) continue
    survey.excluded.add(position)
    survey.leftOut += 1
  }
  return survey
}

interface Admission {
  readonly item: SourceUser
  readonly position: number
  readonly survey: Survey
  readonly seen: Seen
  readonly options: MoveOptions
}

/** @returns the notes about a user who may be moved, when no other one has their address or ID */
function admit({ moved, notes, dropped }: PreparedUser & { moved: MovedUser | null }, admission: Admission): readonly Note[] {
  const { position, survey, seen, options } = admission
  if (!moved) return notes
  const { email, id } = moved.user
  const known = findKnown(seen, seen.emails.get(email))
  if (known) return meet(known, moved, admission)
  const other = id === undefined ? null : findKnown(seen, seen.ids.get(id))
  if (other) return exclude(admission, 'same-id', 'id', other)
  seen.emails.set(copied(email), position)
  if (id !== undefined) seen.ids.set(copied(id), position)
  if (options.merge) seen.users.set(position, moved)
  count(survey, moved, dropped)
  const twice = namesOf(moved).filter(([, name]) => seen.names.has(name))
  for (const [, name] of namesOf(moved)) seen.names.add(name)
  if (twice.length === 0) return notes
  survey.withoutNames.add(position)
  return [
    ...notes,
    ...twice.map(([field]) => ({ reason: `${field === 'username' ? 'username' : 'phone'}-dropped`, field }) as const),
  ]
}

/** A part of a text keeps the memory of the whole one, which is a piece of the file. */
const copied = (text: string): string => Buffer.from(text).toString()

const namesOf = ({ user: { username, phoneNumber } }: MovedUser) => [
  ...(username ? [['username', `u ${String(username).toLowerCase()}`] as const] : []),
  ...(phoneNumber ? [['phoneNumber', `p ${phoneNumber}`] as const] : []),
]

function exclude({ survey, position, item }: Admission, reason: 'same-id' | 'same-address', field: string, known: Known): Note[] {
  survey.excluded.add(position)
  survey.leftOut += 1
  return [{ reason, field, detail: placeOf(known, item) }]
}

/** The file is named when it is another one. */
const placeOf = (known: Known, { file }: SourceUser): string => `${known.file === file ? '' : `${known.file} `}line ${known.line}`

const hasPassword = ({ accounts }: MovedUser): boolean => accounts.some(({ providerId }) => providerId === 'credential')

/** Two users with one address are joined only when both have verified it, and the second one has no password. */
function meet(known: Known, moved: MovedUser, admission: Admission): Note[] {
  const { survey, position } = admission
  const isJoined = known.user?.user.emailVerified && moved.user.emailVerified && !hasPassword(moved)
  if (!isJoined) return exclude(admission, 'same-address', 'email', known)
  survey.excluded.add(position)
  survey.merged += 1
  survey.merges.set(known.position, { users: [...(survey.merges.get(known.position)?.users ?? []), moved] })
  return [{ reason: 'merged', field: 'email', detail: placeOf(known, admission.item) }]
}

function count(survey: Survey, moved: MovedUser, dropped: readonly string[]): void {
  for (const key of dropped) survey.dropped.set(key, (survey.dropped.get(key) ?? 0) + 1)
  const password = moved.accounts.find(({ providerId }) => providerId === 'credential')?.password
  if (typeof password !== 'string') return
  survey.passwords += 1
  for (const { scheme, rounds } of costsOf(password))
    if (rounds > (survey.costs.get(scheme) ?? 0)) survey.costs.set(scheme, rounds)
}

function costsOf(text: string): PasswordCost[] {
  const recipe = readWeakHash(text)?.recipe
  const stored = readImportedHash(text) ?? (recipe ? writeWrapped(recipe) : null)
  return stored === null ? [] : passwordCosts(stored)
}

/** A line to import, and where the export has its user. */
export interface MoveLine {
  /** From 1. */
  readonly number: number
  readonly file: string
  readonly line: number
  readonly value: MovedUser
}

/** The second reading. @param items as in the first one */
export async function* linesOf(
  app: App,
  items: AsyncIterable<SourceItem>,
  options: MoveOptions,
  survey: Survey,
): AsyncGenerator<MoveLine, void, undefined> {
  let position = -1
  for await (const item of items) {
    if (isRemark(item)) continue
    position += 1
    if (survey.excluded.has(position)) continue
    const { moved } = await prepareUser(app, item, options)
    if (!moved) continue
    const value = merged(survey.withoutNames.has(position) ? withoutNames(moved) : moved, survey.merges.get(position))
    yield { number: position + 1, file: item.file, line: item.line, value }
  }
}

function withoutNames({ user, ...line }: MovedUser): MovedUser {
  const { username: _, phoneNumber: __, phoneNumberVerified: ___, ...rest } = user
  return { ...line, user: { ...rest, email: user.email, emailVerified: user.emailVerified } }
}

const createdAtOf = ({ user }: MovedUser): string => String(user.createdAt ?? '9999')

/** The oldest ID stays, and the accounts of all. */
function merged(first: MovedUser, merge: Merge | undefined): MovedUser {
  if (!merge) return first
  const all = [first, ...merge.users]
  const [oldest = first] = all.toSorted((one, other) => createdAtOf(one).localeCompare(createdAtOf(other)))
  const { id, createdAt } = oldest.user
  const accounts = all.flatMap(({ accounts }) => accounts)
  const unique = accounts.filter(
    ({ providerId, accountId }, at) =>
      accounts.findIndex((one) => one.providerId === providerId && one.accountId === accountId) === at,
  )
  const { setUpAtSignIn: _, ...line } = first
  return {
    ...line,
    user: { ...first.user, ...(id !== undefined && { id }), ...(createdAt !== undefined && { createdAt }) },
    accounts: unique,
  }
}
