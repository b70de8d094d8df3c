/** Passwords hashed by functions of the configuration: new ones by theirs, and those of known schemes verified as before. */
import { randomBytes } from 'node:crypto'
import type { CustomHash, Hasher } from '../core/ports.ts'
import { readPasswordFormat } from '../lib/password-formats.ts'
import { toForms } from '../lib/password-forms.ts'

/** Their texts may look like hashes of a known scheme without being any, as with a pepper: so ours say whose they are. */
const mark = '$custom$'
/** What a text column holds. */
const maximumBytes = 65_535

type Run = <T>(operation: string, work: () => Promise<T>) => Promise<T>

/** @param run bounds how many are at work; also theirs */
export function withCustomHash(builtIn: Hasher, { hash, verify }: CustomHash, run: Run): Hasher {
  const make = async (password: string) => mark + checkHash(await run('hash', async () => hash(password)))
  const compare = async (stored: string, password: string) =>
    checkVerdict(await run('verify', async () => verify({ hash: withoutMark(stored), password })))
  const decoyOnce = rememberSuccess(() => make(randomBytes(18).toString('base64url')))
  return {
    ...builtIn,
    hash: async (password) => make(toForms(password)[0]),
    verify: async (stored, password) => {
      if (readPasswordFormat(stored)) return builtIn.verify(stored, password)
      for (const form of toForms(password)) if (await compare(stored, form)) return true
      return false
    },
    needsRehash: (stored) => !stored.startsWith(mark),
    decoy: decoyOnce,
  }
}

const withoutMark = (stored: string): string => (stored.startsWith(mark) ? stored.slice(mark.length) : stored)

function checkHash(made: unknown): string {
  const fits = typeof made === 'string' && made !== '' && made.isWellFormed() && Buffer.byteLength(mark + made) <= maximumBytes
  if (!fits) throw new TypeError(`emailAndPassword.password.hash must return a text of 1 to ${maximumBytes - mark.length} bytes`)
  return made
}

/** Whatever else could be taken for true or false would let everybody in, or nobody. */
function checkVerdict(verdict: unknown): boolean {
  if (typeof verdict !== 'boolean') throw new TypeError('emailAndPassword.password.verify must return true or false')
  return verdict
}

/** What has failed is tried again by the next who asks. */
function rememberSuccess<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | null = null
  return () => {
    if (done) return done
    const running = work()
    running.catch(() => {
      done = null
    })
    done = running
    return running
  }
}
