import { z } from 'zod'
import { additionalFieldFaults, additionalFields } from '../../core/additional-fields.ts'
import { type ConfigFault, flagged, group } from '../../core/config.ts'
import type { Feature } from '../../core/feature.ts'
import { longestMaxAge } from '../../lib/cookie.ts'
import type { Config } from '../index.ts'
import { tables } from './tables.ts'

export const config = {
  session: group('Sessions', {
    expiresIn: z.int().positive().default(604_800).describe('Life of a session from its last renewal, in seconds'),
    updateAge: z
      .int()
      .nonnegative()
      .default(86_400)
      .describe('Age from which a session is renewed when used, in seconds; 0 renews at each use, expiresIn or more never'),
    disableSessionRefresh: z.boolean().default(false).describe('Never renew'),
    freshAge: z
      .int()
      .nonnegative()
      .default(86_400)
      .describe('Seconds after signing in during which sensitive calls are allowed; 0 always allows them'),
    additionalFields: additionalFields(),
    cookieCache: flagged(
      'A signed copy of session and user in a cookie, believed as long as Redis tells that nothing has changed',
      {
        maxAge: z.int().positive().max(longestMaxAge).default(60).describe('Life of the copy, in seconds'),
      },
    ),
    exposeToken: z
      .boolean()
      .default(true)
      .describe(
        'Tell the session token in answers too, for clients without cookies; `false` puts a handle in its place (ASVS 3.3.4)',
      ),
    quietRevocation: z
      .boolean()
      .default(false)
      .describe('Let /revoke-session succeed for what is no session of the caller too, as better-auth 1.7 does'),
    absoluteMaxAge: z
      .int()
      .nonnegative()
      .default(2_592_000)
      .describe(
        'Longest life of a session however often it is renewed, in seconds; 0 for no end (NIST SP 800-63B advises 30 days)',
      ),
  }),
}

/** A member of every session that is shown, and no column. */
const reserved = ['token']

export function checkConfig({ session }: Config, enabled: readonly Feature[]): ConfigFault[] {
  // Those of a feature with configured columns hold these already.
  const others = enabled.filter(({ configuredTables }) => !configuredTables)
  const known = [tables.session, ...others.map((feature) => feature.tables?.session ?? {})].flatMap(Object.keys)
  const faults = additionalFieldFaults('session.additionalFields', session.additionalFields, [...reserved, ...known])
  if (session.expiresIn > longestMaxAge) {
    faults.push({
      id: 'session-cookie-max-age',
      path: 'session.expiresIn',
      message: 'A cookie lives 400 days (34560000 seconds) at most.',
    })
  }
  return faults
}
