/** What an import checks of lines in addition to their form: roles, fields of features, and the sign-up policy. */
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import { decideSignUp } from '../../core/sign-up.ts'
import { findUnknownRoles } from '../roles/index.ts'
import { readOwnedFields } from '../users/index.ts'
import type { UserLine } from './user-line.ts'

export interface LineOutcome {
  readonly line: number
  readonly outcome: 'created' | 'unchanged' | 'conflict' | 'invalid'
  /** Null when the line has none. */
  readonly email: string | null
  /** The reason of a conflict or an invalid line, else null. */
  readonly message: string | null
  /** Passkeys of the user that cannot be used, because they belong to another domain than `passkey.rpID`; absent: none. */
  readonly passkeysOfOtherDomains?: number
}

export interface ParsedLine {
  readonly line: number
  readonly input: UserLine
}

export const invalid = (line: number, email: string | null, message: string): LineOutcome => ({
  line,
  outcome: 'invalid',
  email,
  message,
})

export async function rejectUnknownRoles(app: App, read: readonly ParsedLine[]) {
  const rolesOf = ({ input }: ParsedLine) => (typeof input.user.role === 'string' ? input.user.role.split(',') : [])
  const roles = [...new Set(read.flatMap(rolesOf))]
  const unknown = roles.length > 0 ? await findUnknownRoles(app, roles.join()) : []
  const faults = read.flatMap((one) => {
    const wrong = rolesOf(one).filter((role) => unknown.includes(role))
    const message = `user.role: unknown role ${wrong.map((role) => JSON.stringify(role)).join(', ')}`
    return wrong.length > 0 ? [invalid(one.line, one.input.user.email, message)] : []
  })
  return { known: read.filter((one) => !rolesOf(one).some((role) => unknown.includes(role))), faults }
}

/** Fields that features own, in the form in which they are stored, such as a username in lower case. */
export async function readFieldsOf(app: App, read: readonly ParsedLine[]) {
  const [known, faults]: [ParsedLine[], LineOutcome[]] = [[], []]
  for (const { line, input } of read) {
    try {
      known.push({ line, input: { ...input, user: { ...input.user, ...(await readOwnedFields(app, input.user, 'operator')) } } })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      faults.push(invalid(line, input.user.email, error.message))
    }
  }
  return { known, faults }
}

interface NewLine {
  readonly line: number
  readonly user: { readonly email: string }
}

/** The lines of new users whom the sign-up policy rejects. Users who exist are not its concern. */
export async function findRejected(app: App, drafts: readonly NewLine[]): Promise<LineOutcome[]> {
  const rejected: LineOutcome[] = []
  for (const { line, user } of drafts) {
    const { rejection } = await decideSignUp(app, { source: 'import', email: user.email })
    if (!rejection) continue
    const { rejected: reason, setting } = rejection
    rejected.push(invalid(line, user.email, `the sign-up policy rejects the email address: ${reason} (${setting})`))
  }
  return rejected
}
