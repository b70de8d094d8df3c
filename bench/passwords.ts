/** Compares sign-in and sign-up with the one password hash that each needs. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { post, signUp, startDaemon } from './daemon.ts'
import { type Effort, loadRound, median } from './load.ts'
import { print } from './report.ts'
import type { Storage } from './storage.ts'

const run = promisify(execFile)

interface BareHashes {
  readonly implementation: string
  /** Microseconds of processor time. */
  readonly verify: number
  readonly hash: number
}

/** In a separate process, so that both sides are measured from outside, including their threads. */
async function measureBareHashes(): Promise<BareHashes> {
  const path = fileURLToPath(new URL('bare-hashes.ts', import.meta.url))
  return JSON.parse((await run(process.execPath, [path, '40'])).stdout)
}

export async function measurePasswords({ freshDatabase }: Storage, { rounds, seconds }: Effort): Promise<void> {
  const daemon = await startDaemon({ database: await freshDatabase() })
  try {
    const credentials = { email: 'bench@example.com', password: 'correct horse battery' }
    await signUp(daemon, credentials.email, credentials.password)
    const signIn = post(daemon, '/sign-in/email', credentials)
    const signingUp = post(daemon, '/sign-up/email', { ...credentials, name: 'Bench', email: 'bench-[<id>]@example.com' })
    const taken = { implementation: '', signIn: [] as number[], signUp: [] as number[], failures: 0 }
    for (let round = 0; round < rounds; round += 1) {
      const bare = await measureBareHashes()
      taken.implementation = bare.implementation
      // One at a time, like the bare hashes: two concurrent hashes slow each other down by sharing memory.
      const [one, other] = [await loadRound(signIn, seconds, 1), await loadRound(signingUp, seconds, 1)]
      taken.signIn.push(one.cpu / bare.verify)
      taken.signUp.push(other.cpu / bare.hash)
      taken.failures += one.failures + other.failures
    }
    const ratio = (ratios: readonly number[]) => median(ratios).toFixed(2)
    print(`against bare hashes by ${taken.implementation}, by CPU; failures: ${taken.failures}`)
    print(`sign-in: ${ratio(taken.signIn)} of a verify; sign-up: ${ratio(taken.signUp)} of a hash`)
  } finally {
    await daemon.stop()
  }
}
