/** Sets of keys: each has its own options, and its keys belong to users or to organizations (contract of 1.7: `configId`). */
import { z } from 'zod'
import { type App, memo } from '../../core/app.ts'
import { setOptions } from './set-options.ts'

/** The set that the options of the section itself describe. */
export const defaultSetId = 'default'

/** A further set, as the configuration has it. */
export const keySet = z.strictObject({
  configId: z
    .string()
    .regex(/^[\w.-]{1,64}$/, 'Expected letters, digits, _, . and -')
    .describe('Name of the set, which clients send as `configId`'),
  ...setOptions,
})

export type KeySet = z.output<typeof keySet>

/** Whether organizations own the keys of the set. */
export const isOfOrganizations = ({ references }: Pick<KeySet, 'references'>): boolean => references === 'organization'

const setsOf = memo(({ config: { apiKey } }: Pick<App, 'config' | 'memo'>): readonly [KeySet, ...KeySet[]] => [
  { ...apiKey, configId: defaultSetId },
  ...apiKey.configurations,
])

/** All sets: that of the section, then the others in the order of the configuration. */
export const keySets = (app: Pick<App, 'config' | 'memo'>): readonly KeySet[] => setsOf(app)

/** The set of this name. Clients and rows may name one that is not configured, or none: it is the one of the section then. */
export function setOf(app: Pick<App, 'config' | 'memo'>, configId: string | null | undefined): KeySet {
  const [first, ...others] = setsOf(app)
  return others.find((set) => set.configId === configId) ?? first
}

/** Whether a row belongs to the set that a client names; a row without a name belongs to that of the section. */
export const isInSet = (row: { readonly configId: string | null }, configId: string | null | undefined): boolean =>
  (row.configId || defaultSetId) === (configId || defaultSetId)
