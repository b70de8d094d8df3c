/**
 * Processes and folders that cannot outlive this process, however it ends: a small shell, the keeper, reads a pipe that
 * only this process holds open. When the pipe closes (SIGKILL closes it too), the keeper kills what is on its list and
 * removes the folder.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// A listed process is killed only while its working directory is the folder: another process may have its id now.
// Twice, because a process may enter its number while the first pass runs; without the folder it cannot any more.
const keep = `
root=$1
exec 4<"$root/pids"
end() {
  while read -r pid; do
    case $(readlink "/proc/$pid/cwd" || echo "$root") in "$root"*) kill -9 "$pid" ;; esac
  done <&4
  rm -rf "$root"
}
read -r _
end
end
`

// The number is entered by the process itself before it becomes the server: there is no moment in which it runs unlisted.
const enter = 'echo $$ >>"$1/pids" && shift && exec "$@"'

interface Keeper {
  readonly root: string
  readonly process: ChildProcess
}

let current: Keeper | undefined

/** Memory is much quicker than a disk for servers that write through; below a gigabyte it is left to others. */
function parentFolder(): string {
  const memory = '/dev/shm'
  if (!existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > 2 ** 30 ? memory : tmpdir()
}

function keeper(): Keeper {
  if (current) return current
  const root = mkdtempSync(join(parentFolder(), 'latchkey-test-'))
  writeFileSync(join(root, 'pids'), '')
  // Detached: Ctrl-C goes to the whole group of the terminal, and the keeper has work to do afterwards.
  const child = spawn('sh', ['-c', keep, 'latchkey-keeper', root], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  child.unref()
  // An open pipe would keep this process from ending by itself.
  if (child.stdin && 'unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref()
  current = { root, process: child }
  return current
}

/**
 * A new folder that is removed when this process ends.
 * @param name a word for the reader of a process list
 */
export function keptFolder(name: string): string {
  return mkdtempSync(join(keeper().root, `${name}-`))
}

/**
 * Starts a program that is killed when this process ends. Its output goes to `output.log` in `folder`.
 * @param folder working directory, made by `keptFolder`; the program must not leave it
 */
export function spawnKept(folder: string, command: string, args: readonly string[]): ChildProcess {
  const { root } = keeper()
  const log = openSync(join(folder, 'output.log'), 'a')
  try {
    const child = spawn('sh', ['-c', enter, 'sh', root, command, ...args], {
      cwd: folder,
      detached: true,
      stdio: ['ignore', log, log],
    })
    child.unref()
    return child
  } finally {
    closeSync(log)
  }
}

/** Does now what happens at the end of this process anyway, and resolves when it is done. */
export async function endKept(): Promise<void> {
  if (!current) return
  const { root, process: child } = current
  current = undefined
  const ended = child.exitCode === null ? once(child, 'exit') : undefined
  child.ref()
  child.stdin?.end()
  await ended
  rmSync(root, { recursive: true, force: true })
}
