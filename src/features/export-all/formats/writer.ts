/** What the formats of other systems have in common: texts in place of lines, and what they cannot carry. */
import type { Line } from '../lines.ts'
import type { Members } from '../row-forms.ts'

export interface Writer {
  readonly start: string
  /** @returns the empty text for a line that the format does not have */
  readonly write: (line: Line) => string
  readonly end: string
}

/** What a format cannot carry, with counts by reason. */
export interface Losses {
  readonly add: (reason: string, count?: number) => void
  readonly counts: ReadonlyMap<string, number>
}

export function createLosses(): Losses {
  const counts = new Map<string, number>()
  return { counts, add: (reason, count = 1) => count > 0 && counts.set(reason, (counts.get(reason) ?? 0) + count) }
}

export const listOf = (value: unknown): readonly Members[] => (Array.isArray(value) ? value : [])
export const objectOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {}
export const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** The members without null and undefined, which other systems reject. */
export const given = (members: Members): Members =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== undefined))

/** Plural names of lines in reports. */
const nouns: Readonly<Record<string, string>> = {
  role: 'roles',
  termsAcceptance: 'acceptances of terms',
  organization: 'organizations',
  organizationRole: 'roles of organizations',
  team: 'teams',
  member: 'members of organizations',
  teamMember: 'members of teams',
  invitation: 'invitations',
  inviteLink: 'invite links',
  waitingListEntry: 'entries of the waiting list',
  apikey: 'API keys',
  signingKey: 'signing keys',
}

/** A line of another type than those that the format has. */
export function leaveLine({ type }: Line, losses: Losses): '' {
  const noun = nouns[type]
  if (noun !== undefined) losses.add(`${noun}: the format has none`)
  return ''
}

interface Carried {
  readonly totp?: true
  readonly tokens?: true
  readonly passkeys?: true
  readonly backupCodes?: true
}

/** The parts of a user that a format does not have. */
export function leaveParts(user: Line, carried: Carried, losses: Losses): void {
  const accounts = listOf(user.accounts)
  if (!carried.tokens) losses.add('tokens of providers: the format has none', accounts.filter(hasTokens).length)
  if (!carried.passkeys) losses.add('passkeys: they belong to the domain, and the format has none', listOf(user.passkeys).length)
  if (!carried.backupCodes) losses.add('backup codes: only keyed hashes exist', listOf(user.backupCodes).length)
  if (!carried.totp && user.totp) losses.add('secrets of authenticator apps: the format has none')
  if (objectOf(user.secondFactor).otpChannels) losses.add('second factors by email and text message: the format has none')
  if (user.picture) losses.add('uploaded pictures: the format has none')
  if (user.lockedAt) losses.add('locks of accounts: the format has none')
}

const hasTokens = ({ accessToken, refreshToken, idToken }: Members): boolean => Boolean(accessToken || refreshToken || idToken)
