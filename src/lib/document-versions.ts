/** Documents with versions, of which one is in force at a time: the server and the pages use the same rule. */

export interface DocumentVersion {
  readonly id: string
  readonly version: string
  /** ISO 8601; null: since ever. */
  readonly requiredFrom: string | null
}

const startOf = ({ requiredFrom }: Pick<DocumentVersion, 'requiredFrom'>): number =>
  requiredFrom === null ? Number.NEGATIVE_INFINITY : Date.parse(requiredFrom)

/**
 * The version of each document that is in force: the one that took effect last.
 * @param now in milliseconds since 1970
 * @returns documents in the order of their first version; none of a document whose first version is announced only
 */
export function versionsInForce<D extends DocumentVersion>(documents: readonly D[], now: number): D[] {
  const found = new Map<string, D | null>()
  for (const document of documents) {
    const other = found.get(document.id) ?? null
    const isLater = startOf(document) <= now && (other === null || startOf(document) >= startOf(other))
    found.set(document.id, isLater ? document : other)
  }
  return [...found.values()].filter((document) => document !== null)
}
