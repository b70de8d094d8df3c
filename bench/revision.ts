/** Checks out a revision of this repository into a temporary folder, with what its daemon needs to run. */
import { execFile } from 'node:child_process'
import { readFileSync, symlinkSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual, promisify } from 'node:util'
import { registerCleanup } from './cleanup.ts'
import { ownRoot } from './daemon.ts'
import { print } from './report.ts'

const run = promisify(execFile)
const git = (...words: string[]) => run('git', words, { cwd: ownRoot })

interface Lockfile {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly dev?: boolean }>>
}

/** @returns the folder, which exists until the end of the run @throws Error when git does not know the revision */
export async function checkOut(revision: string): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'latchkey-revision-'))
  registerCleanup(async () => {
    await rm(root, { recursive: true })
    await git('worktree', 'prune')
  })
  await git('worktree', 'add', '--detach', root, revision)
  if (isDeepStrictEqual(packagesOf(root), packagesOf(ownRoot)))
    symlinkSync(join(ownRoot, 'node_modules'), join(root, 'node_modules'))
  else {
    print(`npm ci, because ${revision} needs other packages`)
    // Scripts would build pages, which no measured call needs; the packages bring what is compiled.
    await run('npm', ['ci', '--omit=dev', '--ignore-scripts'], { cwd: root })
  }
  return root
}

/** The versions of the packages that a daemon loads. */
function packagesOf(root: string): unknown {
  const { packages }: Lockfile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const needed = Object.entries(packages).filter(([path, { dev }]) => path.startsWith('node_modules/') && !dev)
  return Object.fromEntries(needed.map(([path, { version }]) => [path, version]))
}
