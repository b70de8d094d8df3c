/** What `latchkey seed` gets from its caller, and what it reports. */

/** One thing that `latchkey seed` created, changed or removed. */
export interface SeedResult {
  readonly kind: string
  readonly name: string
  readonly outcome: 'created' | 'changed' | 'unchanged' | 'removed'
  /** A description of the change, or a link that is displayed once. */
  readonly detail?: string
  readonly setupLink?: string
  /** Name of the environment variable that should have the password and is not set, so that a setup link takes its place. */
  readonly missingSecret?: string
  /** Email address of a user whom the declaration names, and who does not exist. */
  readonly missingUser?: string
  /** Number of users who still have what is removed, or already have the role that is created. */
  readonly users?: number
}

export interface SeedOptions {
  /** Report only. */
  readonly dryRun: boolean
  /** Also remove what was seeded once and is no longer declared. */
  readonly prune: boolean
  /** A secret by the name of its environment variable; undefined when it is not set. */
  readonly readSecret: (name: string) => string | undefined
}
