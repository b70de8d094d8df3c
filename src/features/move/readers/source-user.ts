/** A user of another system, in the form in which each reader returns them. */
import type { SourceDatabase } from '../../../core/source-database.ts'
import type { PlacedValue } from './json-source.ts'
import type { Reason } from './reasons.ts'
import type { SourceFile } from './source-file.ts'

/** Something that the operator should know of a user, or of a line without one. */
export interface Note {
  readonly reason: Reason
  /** Where in the export: `email`, `app_metadata.plan`. */
  readonly field: string
  /** What the field has, if it is neither personal nor secret: a name of a role, a provider or a key. */
  readonly detail?: string
}

export interface Place {
  readonly file: string
  /** From 1: line of the file, or position in the list of users. */
  readonly line: number
}

interface SourceAccount {
  readonly providerId: string
  readonly accountId: string
  readonly scope?: string
}

interface SourceTOTP {
  /** In Base32. */
  readonly secret: string
  readonly algorithm?: string
  readonly digits?: number
  readonly period?: number
}

export interface SourceUser extends Place {
  readonly id: string | null
  /** As it is written in the export. */
  readonly email: string | null
  readonly emailVerified?: boolean
  readonly name?: string | null
  readonly image?: string | null
  readonly username?: string | null
  readonly phoneNumber?: string | null
  readonly phoneNumberVerified?: boolean
  /** ISO 8601. */
  readonly createdAt?: string | null
  readonly updatedAt?: string | null
  readonly lastSignInAt?: string | null
  readonly isAnonymous?: boolean
  /** `until` in ISO 8601; null: without an end. */
  readonly ban?: { readonly until: string | null } | null
  /** Hash as the import reads it. */
  readonly password?: string | null
  readonly mustReplacePassword?: boolean
  readonly accounts?: readonly SourceAccount[]
  readonly totp?: SourceTOTP | null
  /** `realm:admin`, `group:/staff`. */
  readonly roles?: readonly string[]
  /** By the name in the export: objects with keys of the application. */
  readonly metadata?: Readonly<Record<string, unknown>>
  /** Why the user is left out by every configuration. */
  readonly leftOut?: Note
  readonly notes: readonly Note[]
}

/** A remark about a line without a user, such as a hash without a user. */
export interface Remark extends Place {
  readonly remark: Note
}

export type SourceItem = SourceUser | Remark

export const isRemark = (item: SourceItem): item is Remark => 'remark' in item

export interface ReaderOptions {
  /** Zone of times without one, such as `Europe/Berlin`. */
  readonly timeZone: string
  /** Name of the pepper in the configuration, for bcrypt hashes. */
  readonly pepper: string | undefined
  /** Of `from-csv`. */
  readonly preset: string | undefined
  /** Of `from-csv`: names of columns by what they mean. */
  readonly columns: Readonly<Record<string, string>> | undefined
  /** Of the tables in a database of WordPress: `wp_`. */
  readonly tablePrefix: string
}

export type Reader = (files: readonly SourceFile[], options: ReaderOptions) => AsyncIterable<SourceItem>

/** Reads the tables of the system instead of its export; `line` is then the number of the row in the order of the IDs. */
export type DatabaseReader = (source: SourceDatabase, options: ReaderOptions) => AsyncIterable<SourceItem>

/** The object of a line or a list; an empty one for another value. */
export const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** @returns null for an empty text, and for anything else than a text or a number */
export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : null

export const placeOf = (file: SourceFile, { number }: Pick<PlacedValue, 'number'>): Place => ({ file: file.name, line: number })

/** Databases and forms write 1, "1", "true" or "t". */
export const truthOf = (value: unknown): boolean => value === true || /^(?:1|t|true|yes)$/i.test(String(value ?? ''))

/** @returns undefined when no part is given */
export const joinedName = (...parts: readonly unknown[]): string | undefined =>
  parts.map(textOf).filter(Boolean).join(' ').trim() || undefined
