/** The readers of other systems, by the name of their command. */
import { readAuth0 } from './auth0.ts'
import { readClerk } from './clerk.ts'
import { readCognito } from './cognito.ts'
import { readDjango } from './django.ts'
import { readFirebase } from './firebase.ts'
import { readKeycloak } from './keycloak.ts'
import type { DatabaseReader, Reader } from './source-user.ts'
import { readSupabase, readSupabaseDatabase } from './supabase.ts'
import { readTable } from './tables.ts'
import { readWordPress, readWordPressDatabase } from './wordpress.ts'

export { reasons } from './reasons.ts'
export { isSourceError, type SourceFile, sourceError } from './source-file.ts'
export { takeSnapshot } from './source-tables.ts'
export { isRemark, type Note, type ReaderOptions, type SourceItem, type SourceUser } from './source-user.ts'
export { meanings, presets } from './tables.ts'

export interface System {
  readonly title: string
  readonly reader: Reader
  /** Metadata that only the operator could write: it never goes into a field that users may set. */
  readonly protectedMetadata: readonly string[]
  /** Of the system itself, in place of an export. */
  readonly database?: { readonly scheme: 'mysql' | 'postgres'; readonly reader: DatabaseReader }
}

const system = (
  title: string,
  reader: Reader,
  protectedMetadata: readonly string[] = [],
  database?: System['database'],
): System => ({ title, reader, protectedMetadata, ...(database && { database }) })

export const systems = {
  auth0: system('Auth0', readAuth0, ['app_metadata']),
  clerk: system('Clerk', readClerk, ['private_metadata', 'public_metadata']),
  firebase: system('Firebase', readFirebase, ['customAttributes']),
  supabase: system('Supabase', readSupabase, ['app_metadata'], { scheme: 'postgres', reader: readSupabaseDatabase }),
  keycloak: system('Keycloak', readKeycloak),
  cognito: system('Cognito', readCognito),
  wordpress: system('WordPress', readWordPress, [], { scheme: 'mysql', reader: readWordPressDatabase }),
  django: system('Django', readDjango),
  csv: system('a table', readTable),
} as const

export type SystemName = keyof typeof systems
