/** What `latchkey seed` reports, and what a feature is given to seed with. */
export interface SeedResult {
  readonly kind: string
  readonly name: string
  readonly outcome: 'created' | 'changed' | 'unchanged' | 'removed'
  /** What changed, in words; or a link that is shown once. */
  readonly detail?: string
  readonly setupLink?: string
}

export interface SeedOptions {
  /** Report only. */
  readonly dryRun: boolean
  /** Also remove what was seeded once and is no longer declared. */
  readonly prune: boolean
  /** A secret by the name of its environment variable; undefined when it is not set. */
  readonly readSecret: (name: string) => string | undefined
}
