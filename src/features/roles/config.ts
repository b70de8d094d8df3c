import { z } from 'zod'
import { type ConfigFault, group } from '../../core/config.ts'
import type { Feature } from '../../core/feature.ts'
import type { Config } from '../index.ts'

const roleName = z.string().regex(/^[\w-]{1,64}$/, 'Expected letters, digits, _ and -, 64 at most')

export const config = {
  seed: group('What `latchkey seed` writes', {
    roles: z
      .record(roleName, z.record(z.string(), z.array(z.string())))
      .default({})
      .describe('Role name to what it permits: resource to actions, such as { support: { user: ["list"] } }'),
  }),
}

export function checkConfig({ seed }: Config, enabled: readonly Feature[]): ConfigFault[] {
  const known = permissionsOf(enabled)
  return Object.entries(seed.roles).flatMap(([name, permissions]) =>
    Object.entries(permissions).flatMap(([resource, actions]) => {
      const path = `seed.roles.${name}.${resource}`
      const unknown = actions.filter((action) => !known.includes(`${resource}:${action}`))
      const doubled = actions.filter((action, position) => actions.indexOf(action) !== position)
      return [
        ...unknown.map((action) => ({
          id: 'seed-role-permission',
          path,
          message: `Nothing permits "${action}".`,
          hint: `There are ${known.join(', ')}.`,
        })),
        ...doubled.map((action) => ({ id: 'seed-role-action', path, message: `"${action}" stands there twice.` })),
      ]
    }),
  )
}

const permissionsOf = (enabled: readonly Feature[]) =>
  enabled.flatMap(({ permissions = {} }) =>
    Object.entries(permissions).flatMap(([resource, actions]) => actions.map((action) => `${resource}:${action}`)),
  )
