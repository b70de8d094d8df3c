import { additionalFieldFaults, additionalFields } from '../../core/additional-fields.ts'
import { type ConfigFault, group } from '../../core/config.ts'
import type { Feature } from '../../core/feature.ts'
import type { Config } from '../index.ts'
import { tables } from './tables.ts'

export const config = {
  user: group('People', { additionalFields: additionalFields() }),
}

/** Keys of sign-up that mean something else. */
const reserved = ['password', 'callbackURL', 'rememberMe', 'token']

export function checkConfig({ user }: Config, enabled: readonly Feature[]): ConfigFault[] {
  // Those of a feature with configured columns hold these already.
  const others = enabled.filter(({ configuredTables }) => !configuredTables)
  const known = [tables.user, ...others.map((feature) => feature.tables?.user ?? {})].flatMap(Object.keys)
  return additionalFieldFaults('user.additionalFields', user.additionalFields, [...reserved, ...known])
}
