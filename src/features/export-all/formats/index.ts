/** The formats of other systems in which an export can be written. */
import type { App } from '../../../core/app.ts'
import { writeAuth0 } from './auth0.ts'
import { type BetterAuthOptions, writeBetterAuth } from './better-auth.ts'
import { writeCSV } from './csv.ts'
import { writeKeycloak } from './keycloak.ts'
import { createLosses, type Losses, type Writer } from './writer.ts'

export interface FormatOptions extends BetterAuthOptions {
  /** Of Keycloak. */
  readonly realm: string
}

const formats = {
  auth0: (_: App, losses: Losses) => writeAuth0(losses),
  keycloak: (_: App, losses: Losses, { realm }: FormatOptions) => writeKeycloak(losses, realm),
  'better-auth-sql': (_: App, losses: Losses, options: FormatOptions) => writeBetterAuth(losses, options),
  csv: ({ config }: App, losses: Losses) => writeCSV(losses, Object.keys(config.user.additionalFields)),
} as const

export type FormatName = keyof typeof formats

/** A writer, and what it could not write. */
export function openFormat(app: App, name: FormatName, options: FormatOptions): Writer & { readonly losses: Losses['counts'] } {
  const losses = createLosses()
  return { ...formats[name](app, losses, options), losses: losses.counts }
}
