/** What is known of the codes of errors: for `latchkey explain`, the console and docs/errors.md. */
import { codes } from './codes.ts'
import { organizationCodes } from './codes-keys-organizations.ts'
import { redirectCodes, signInCodes } from './codes-sign-in.ts'
import { signUpCodes, signUpRedirects } from './codes-sign-up.ts'
import { failures } from './failures.ts'

/** What a code means, what to do, and the paths of the options that decide, the most important first. */
export type Entry = readonly [meaning: string, fix: string, ...settings: string[]]
export type Entries = Readonly<Record<string, Entry>>

/** `api`: of a response or redirect; `command`: of a command or a start, see docs/errors.md. */
export type CodeOf = 'api' | 'command'

/** Catalogues by who responds with their codes. The same code may be in both, with different meanings. */
export const catalogues: Readonly<Record<CodeOf, Entries>> = {
  api: { ...codes, ...signInCodes, ...signUpCodes, ...organizationCodes, ...redirectCodes, ...signUpRedirects },
  command: failures,
}

export interface CodeExplanation {
  readonly code: string
  readonly of: CodeOf
  readonly meaning: string
  readonly fix: string
  /** Paths of options. */
  readonly settings: readonly string[]
}

export function explainCode(code: string, of: CodeOf): CodeExplanation | null {
  const entry = Object.hasOwn(catalogues[of], code) ? catalogues[of][code] : undefined
  if (!entry) return null
  const [meaning, fix, ...settings] = entry
  return { code, of, meaning, fix, settings }
}
