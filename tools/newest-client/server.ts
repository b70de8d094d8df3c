/** The newest published server with all its plugins, of which only the list of calls is read. */
import { apiKey } from '@better-auth/api-key'
import { passkey } from '@better-auth/passkey'
import { betterAuth } from 'better-auth'
import * as plugins from 'better-auth/plugins'

export const newest: { readonly betterAuth: unknown; readonly plugins: Readonly<Record<string, unknown>> } = {
  betterAuth,
  plugins: { ...plugins, apiKey, passkey },
}
