/** Texts of errors in input that a person wrote. */
import leven from 'leven'

/** A hint with the most similar known option, path or key; empty when none is similar. */
export function suggest(given: string, known: readonly string[]): { hint?: string } {
  const [nearest] = known.map((name) => ({ name, distance: leven(name, given) })).sort((a, b) => a.distance - b.distance)
  if (!nearest || nearest.distance > Math.max(2, given.length / 3)) return {}
  return { hint: `Did you mean \`${nearest.name}\`?` }
}

/** `Invalid input: expected number, received string` → `Expected number, received string`. */
export const plainMessage = (message: string): string => message.replace(/^[A-Z][\w ]+: expected /, 'Expected ')
