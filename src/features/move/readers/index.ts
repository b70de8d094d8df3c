/** The readers of other systems, by the name of their command. */
import { readAuth0 } from './auth0.ts'
import { readClerk } from './clerk.ts'
import { readCognito } from './cognito.ts'
import { readDjango } from './django.ts'
import { readFirebase } from './firebase.ts'
import { readKeycloak } from './keycloak.ts'
import type { Reader } from './source-user.ts'
import { readSupabase } from './supabase.ts'
import { readTable } from './tables.ts'
import { readWordPress } from './wordpress.ts'

export { reasons } from './reasons.ts'
export { isSourceError, type SourceFile } from './source-file.ts'
export { isRemark, type Note, type SourceItem, type SourceUser } from './source-user.ts'
export { meanings, presets } from './tables.ts'

export interface System {
  readonly title: string
  readonly reader: Reader
  /** Metadata that only the operator could write: it never goes into a field that users may set. */
  readonly protectedMetadata: readonly string[]
}

const system = (title: string, reader: Reader, protectedMetadata: readonly string[] = []): System => ({
  title,
  reader,
  protectedMetadata,
})

export const systems = {
  auth0: system('Auth0', readAuth0, ['app_metadata']),
  clerk: system('Clerk', readClerk, ['private_metadata', 'public_metadata']),
  firebase: system('Firebase', readFirebase, ['customAttributes']),
  supabase: system('Supabase', readSupabase, ['app_metadata']),
  keycloak: system('Keycloak', readKeycloak),
  cognito: system('Cognito', readCognito),
  wordpress: system('WordPress', readWordPress),
  django: system('Django', readDjango),
  csv: system('a table', readTable),
} as const

export type SystemName = keyof typeof systems
