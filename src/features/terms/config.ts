/** The options of terms, and what is wrong between them. */
import { z } from 'zod'
import { type ConfigIssue, section } from '../../core/config.ts'
import { cookieOptions } from '../../core/cookies.ts'
import { isOnOrigin, originMatcher } from '../../lib/url.ts'
import type { Config } from '../index.ts'
import { readDocuments } from './documents.ts'

/** Documents, and all versions of them. */
const mostDocuments = 10
const mostVersions = 100

/** In columns, and in addresses. */
const documentId = z.string().regex(/^[a-z][a-z\d-]{0,39}$/, 'Expected up to 40 lower-case letters, digits and hyphens')
const documentVersion = z.string().regex(/^[\w.-]{1,40}$/, 'Expected up to 40 letters, digits, dots, hyphens and underscores')

const localized = (longest: number) =>
  z.union([z.string().min(1).max(longest), z.record(z.string(), z.string().min(1).max(longest))])

const day = z.union([z.iso.date(), z.iso.datetime({ offset: true })])

const documentOption = z
  .strictObject({
    id: documentId.describe('Stays the same over all versions, such as `privacy`'),
    version: documentVersion.describe('Such as `2027-01` or `3`'),
    title: localized(200).optional().describe('A text, or one per language; default: the id'),
    url: z
      .url({ protocol: /^https?$/ })
      .max(2000)
      .optional()
      .describe('Page with the text; it must not change'),
    file: z
      .string()
      .min(1)
      .max(1000)
      .optional()
      .describe(
        'Text, Markdown or HTML file (`.txt`, `.md`, `.html`) of at most 512 KiB, relative to the project folder, instead of url',
      ),
    hash: z
      .string()
      .regex(/^[\da-f]{64}$/)
      .optional()
      .describe('SHA-256 of the text at url, in hexadecimal digits; of a file it is computed'),
    changes: localized(2000).optional().describe('What is new in this version, for users who accepted another one'),
    requiredFrom: day.optional().describe('From when sign-ins ask for it, such as `2027-01-31`; default: now'),
    postponeDays: z
      .int()
      .min(0)
      .max(365)
      .default(0)
      .describe('Days after requiredFrom in which users who signed up before may postpone it'),
  })
  .refine(({ url, file }) => (url === undefined) !== (file === undefined), 'Give either url or file')
  .refine(({ file, hash }) => file === undefined || hash === undefined, 'The hash of a file is computed: leave out hash')
  .refine(
    ({ postponeDays, requiredFrom }) => postponeDays === 0 || requiredFrom !== undefined,
    'postponeDays counts from requiredFrom, which is missing',
  )

export const config = {
  ...cookieOptions('terms'),
  terms: section('Terms of service and other documents with versions, which users accept at sign-up and sign-in', {
    documents: z
      .array(documentOption)
      .max(mostVersions)
      .default([])
      .describe(
        'Versions of documents. Of several with one id, the one with the latest requiredFrom that has passed is in force; keep the others, so that their texts can be read',
      ),
    atSignUp: z
      .enum(['checkbox', 'sentence'])
      .default('checkbox')
      .describe('How the hosted sign-up page asks: by a checkbox, or by a sentence above the button'),
    pageURL: z.url().optional().describe('Page of the application on which users accept; default: the hosted page'),
    pendingMaxAge: z.int().min(300).max(3600).default(1800).describe('Seconds for which a sign-in waits for the answer'),
    erasure: z
      .enum(['keep-proof', 'delete'])
      .default('keep-proof')
      .describe(
        'What remains of the acceptances of a deleted user: `keep-proof`: document, version, hash and time, with a keyed hash in place of the user; `delete`: nothing',
      ),
  }),
}

export function checkConfig(config: Config): readonly ConfigIssue[] {
  const { terms, trustedOrigins } = config
  if (!terms.enabled) return []
  const isTrusted = typeof trustedOrigins === 'function' || isOnOrigin(terms.pageURL ?? '', trustedOrigins.map(originMatcher))
  const page: readonly ConfigIssue[] =
    terms.pageURL === undefined || isTrusted
      ? []
      : [
          {
            ...{ id: 'terms-page', path: 'terms.pageURL' },
            message: `${new URL(terms.pageURL).origin} is not a trusted origin.`,
            hint: 'Add it to trustedOrigins.',
          },
        ]
  return [...page, ...checkVersions(terms.documents), ...readDocuments(config).issues]
}

type Given = Config['terms']['documents']

function checkVersions(documents: Given): ConfigIssue[] {
  const ids = new Set(documents.map(({ id }) => id))
  const many: readonly ConfigIssue[] =
    ids.size > mostDocuments
      ? [
          {
            id: 'terms-documents',
            path: 'terms.documents',
            message: `There are ${ids.size} documents, and at most ${mostDocuments} are possible.`,
          },
        ]
      : []
  const repeated = documents.flatMap(({ id, version, requiredFrom }, position): ConfigIssue[] => {
    const earlier = documents.slice(0, position).filter((other) => other.id === id)
    const path = `terms.documents.${position}`
    if (earlier.some((other) => other.version === version))
      return [
        {
          ...{ id: 'terms-version', path, message: `The version ${version} of the document ${id} is declared twice.` },
          hint: 'Give a changed text a new version.',
        },
      ]
    const isSameTime = (other: Given[number]) => startOf(other.requiredFrom) === startOf(requiredFrom)
    const same = earlier.find(isSameTime)
    return same
      ? [
          {
            ...{ id: 'terms-version', path },
            message: `The versions ${same.version} and ${version} of the document ${id} take effect at the same time.`,
            hint: 'Give the newer one a requiredFrom.',
          },
        ]
      : []
  })
  return [...many, ...repeated]
}

const startOf = (requiredFrom: string | undefined): number | null =>
  requiredFrom === undefined ? null : Date.parse(requiredFrom)
