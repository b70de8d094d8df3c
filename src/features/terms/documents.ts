/** The documents of the configuration: their texts are read once, and hashed. */
import { createHash } from 'node:crypto'
import { extname } from 'node:path'
import type { App } from '../../core/app.ts'
import type { ConfigIssue } from '../../core/config.ts'
import type { UserRow } from '../../core/request.ts'
import { apiURL } from '../../core/route.ts'
import { readBoundedText } from '../../lib/bounded-file.ts'
import { versionsInForce } from '../../lib/document-versions.ts'
import { dayMs } from '../../lib/iso-time.ts'
import type { Config } from '../index.ts'

const mostKiB = 512

export type Kind = 'html' | 'markdown' | 'text'
const kinds: Readonly<Record<string, Kind>> = { '.html': 'html', '.htm': 'html', '.md': 'markdown', '.txt': 'text' }

type Localized = string | Readonly<Record<string, string>>

export interface TermsDocument {
  readonly id: string
  readonly version: string
  readonly title: Localized
  readonly changes: Localized | null
  /** Where the text can be read. */
  readonly url: string
  /** SHA-256 of the text, in hexadecimal digits. */
  readonly hash: string | null
  /** ISO 8601; null: since ever. */
  readonly requiredFrom: string | null
  /** Until when users who signed up before may postpone it; null: not. */
  readonly postponableUntil: Date | null
  readonly file: { readonly kind: Kind; readonly text: string } | null
}

interface Documents {
  readonly documents: readonly TermsDocument[]
  readonly issues: readonly ConfigIssue[]
}

/** By configuration, so that the check, the pages and the calls see the same content. */
const known = new WeakMap<Config, Documents>()

export function readDocuments(config: Config): Documents {
  const before = known.get(config)
  if (before) return before
  const documents: TermsDocument[] = []
  const issues: ConfigIssue[] = []
  for (const [position, given] of (config.terms.enabled ? config.terms.documents : []).entries()) {
    const file = given.file === undefined ? null : readText(given.file)
    if (typeof file === 'string') {
      issues.push({
        ...{ id: 'terms-file', path: `terms.documents.${position}.file`, message: `Cannot use ${given.file}: ${file}.` },
        hint: `Name a .txt, .md or .html file of at most ${mostKiB} KiB in UTF-8; relative paths start at the folder of the project.`,
      })
    } else documents.push(documentOf(config, given, file))
  }
  const found = { documents, issues }
  known.set(config, found)
  return found
}

type Given = Config['terms']['documents'][number]

function documentOf(config: Config, given: Given, file: TermsDocument['file']): TermsDocument {
  const { id, version, title = id, changes = null, url = documentURL(config, id, version), hash = null, postponeDays } = given
  const requiredFrom = given.requiredFrom === undefined ? null : new Date(given.requiredFrom)
  const isPostponable = requiredFrom !== null && postponeDays > 0
  return {
    ...{ id, version, title, changes, url, file },
    hash: file ? createHash('sha256').update(file.text).digest('hex') : hash,
    requiredFrom: requiredFrom?.toISOString() ?? null,
    postponableUntil: isPostponable ? new Date(requiredFrom.getTime() + postponeDays * dayMs) : null,
  }
}

const documentURL = (config: Config, id: string, version: string): string =>
  `${apiURL(config)}/terms/document?${new URLSearchParams({ id, version })}`

/** @returns why it cannot be used */
function readText(path: string): { readonly kind: Kind; readonly text: string } | string {
  const kind = kinds[extname(path).toLowerCase()]
  if (!kind) return 'its name does not end in .txt, .md or .html'
  const read = readBoundedText(path, mostKiB * 1024)
  if ('problem' in read) return read.problem
  return read.text.trim() === '' ? 'it is empty' : { kind, text: read.text }
}

export const documentsInForce = ({ config, now }: Pick<App, 'config' | 'now'>): TermsDocument[] =>
  versionsInForce(readDocuments(config).documents, now().getTime())

/** What a user has accepted last of each document: versions by id. */
export function acceptedBy({ termsAccepted }: Pick<UserRow, 'termsAccepted'>): Readonly<Record<string, string>> {
  // Without the feature there is no such column.
  return termsAccepted ? JSON.parse(termsAccepted) : {}
}

/** The documents in force that a user has not accepted. Without a query, because it is asked at each sign-in. */
export function dueFor(app: Pick<App, 'config' | 'now'>, user: Pick<UserRow, 'termsAccepted'>): TermsDocument[] {
  const accepted = acceptedBy(user)
  return documentsInForce(app).filter(({ id, version }) => accepted[id] !== version)
}

/** Whether a user may postpone documents: all of them, because one that cannot be postponed needs an answer anyway. */
export const mayPostpone = (
  { now }: Pick<App, 'now'>,
  { createdAt }: Pick<UserRow, 'createdAt'>,
  due: readonly TermsDocument[],
): boolean =>
  due.every(
    ({ requiredFrom, postponableUntil }) =>
      requiredFrom !== null && createdAt < new Date(requiredFrom) && postponableUntil !== null && now() < postponableUntil,
  )
