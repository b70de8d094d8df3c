/** How long somebody has to wait who has failed so often. */
export interface Law {
  /** The failure in a row that is followed by the first delay. */
  readonly failures: number
  /** Seconds. */
  readonly firstDelay: number
  /** Seconds. */
  readonly longestDelay: number
}

/** Seconds; 0 before the law's first failure. */
export const delayAfter = (law: Law, failures: number): number =>
  failures < law.failures ? 0 : Math.min(law.longestDelay, law.firstDelay * 2 ** Math.min(failures - law.failures, 32))

/** Failures at which the delay grows, with the delay in seconds, the highest first. */
export function steps(law: Law): { readonly failures: number; readonly delay: number }[] {
  const found: { failures: number; delay: number }[] = []
  for (let failures = law.failures; found[0]?.delay !== law.longestDelay; failures += 1)
    found.unshift({ failures, delay: delayAfter(law, failures) })
  return found
}
