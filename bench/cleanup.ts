/** What must be removed at the end of a run, also after Ctrl-C: a detached daemon would outlive its benchmark. */
const pending = new Set<() => Promise<void>>()

/** @returns the same work, which now runs once: when it is called, or in `runCleanups` */
export function registerCleanup(work: () => Promise<void>): () => Promise<void> {
  const once = async () => {
    if (pending.delete(once)) await work()
  }
  pending.add(once)
  return once
}

/** The newest first, because it needs what was started before it. One that fails does not keep the others from running. */
export async function runCleanups(): Promise<void> {
  for (const work of [...pending].reverse()) await work().catch((error: unknown) => process.stderr.write(`${error}\n`))
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void runCleanups().finally(() => process.exit(130)))
