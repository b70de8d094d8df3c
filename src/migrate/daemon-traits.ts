/** What the daemons of one database must have in common: features, declared schema and secret. Kept in the rows of their workers. */
import { createHash } from 'node:crypto'
import { type Schema, stableJSON } from './schema.ts'
import type { RegisteredWorker, ServingWorker } from './serving.ts'

export interface DaemonTraits {
  /** Names of the optional features that are enabled. */
  readonly features: readonly string[]
  /** Hash of the declared schema. */
  readonly schema: string
  /** IDs of the configured secrets, newest first. They do not help to guess a secret. */
  readonly secrets: readonly string[]
}

export const traitsOf = (schema: Schema, features: readonly string[], secrets: readonly string[]): DaemonTraits => ({
  features,
  schema: createHash('sha256').update(stableJSON(schema)).digest('hex').slice(0, 16),
  secrets,
})

/** Among what a worker uses, which earlier versions also read: no table or column has a colon in its name. */
export const packTraits = ({ features, schema, secrets }: DaemonTraits): string[] => [
  ...features.map((name) => `feature:${name}`),
  `schema:${schema}`,
  ...secrets.map((id) => `secret:${id}`),
]

/** @returns null for a worker of an earlier version, which does not register them */
export function unpackTraits(uses: readonly string[]): DaemonTraits | null {
  const all = (kind: string) => uses.flatMap((use) => (use.startsWith(`${kind}:`) ? [use.slice(kind.length + 1)] : []))
  const [schema] = all('schema')
  return schema === undefined ? null : { features: all('feature'), schema, secrets: all('secret') }
}

/** A daemon with another configuration than this daemon. */
export interface DaemonDifference extends Pick<ServingWorker, 'host' | 'process'> {
  /** Features that only one of the two has enabled. */
  readonly features: readonly string[]
  /** `unknown`: neither of the two knows the current secret of the other. */
  readonly secret: 'same' | 'other' | 'unknown'
  readonly hasOtherSchema: boolean
}

/** @param own process: null for a command, which is not a daemon */
export function findDifferences(
  own: DaemonTraits & { readonly host: string; readonly process: number | null },
  workers: readonly RegisteredWorker[],
): DaemonDifference[] {
  const newest = workers.filter(({ host, process, generation }) => {
    const isSameDaemon = (other: ServingWorker) => other.host === host && other.process === process
    // Workers of an earlier generation are being replaced; one daemon counts once.
    return !workers.some((other) => isSameDaemon(other) && other.generation > generation)
  })
  const found = new Map<string, DaemonDifference>()
  for (const { host, process, uses } of newest) {
    const traits = unpackTraits(uses)
    if (!traits || (host === own.host && process === own.process)) continue
    const difference = { host, process, ...compare(own, traits) }
    if (isDifferent(difference)) found.set(`${host} ${process}`, difference)
  }
  return [...found.values()]
}

const isDifferent = ({ features, secret, hasOtherSchema }: DaemonDifference): boolean =>
  features.length > 0 || secret !== 'same' || hasOtherSchema

function compare(own: DaemonTraits, other: DaemonTraits): Pick<DaemonDifference, 'features' | 'secret' | 'hasOtherSchema'> {
  const [mine = '', theirs = ''] = [own.secrets[0], other.secrets[0]]
  const isKnown = own.secrets.includes(theirs) || other.secrets.includes(mine)
  const onlyIn = (one: DaemonTraits, two: DaemonTraits) => one.features.filter((name) => !two.features.includes(name))
  return {
    features: [...onlyIn(own, other), ...onlyIn(other, own)].toSorted(),
    secret: mine === theirs ? 'same' : isKnown ? 'other' : 'unknown',
    hasOtherSchema: own.schema !== other.schema,
  }
}

/** The parts that differ: `admin`, `secret`, `schema`. */
export const differingParts = ({ features, secret, hasOtherSchema }: DaemonDifference): string[] => [
  ...features,
  ...(secret === 'same' ? [] : ['secret']),
  ...(hasOtherSchema ? ['schema'] : []),
]

/** For logs, `status` and `doctor`. */
export const describeDifference = (difference: DaemonDifference): string =>
  `the daemon on ${difference.host} (process ${difference.process}) has another configuration: ${differingParts(difference).join(', ')}`
