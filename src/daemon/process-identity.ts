/** Which process a number means: numbers are given again, and a state file outlives its writer. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

/**
 * When the process was started, as an opaque text that differs for another process of the same number; null when there is none.
 * @throws Error when the system has neither `/proc` nor `ps`
 */
export function findProcessStart(pid: number): string | null {
  return existsSync('/proc/self/stat') ? readFromProc(pid) : askPs(pid)
}

/** Clock ticks count from the boot, so the boot belongs to the answer (proc_pid_stat(5), field 22). */
function readFromProc(pid: number): string | null {
  const stat = readIfPresent(`/proc/${pid}/stat`)
  if (stat === null) return null
  // The second field is the name in brackets, which may itself hold spaces and brackets.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (state === 'Z' || state === 'X') return null
  const boot = readIfPresent('/proc/sys/kernel/random/boot_id')?.trim() ?? ''
  return `${boot}:${fields[18]}`
}

function readIfPresent(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // Gone, or not ours to see: either way not the process that we know.
    return null
  }
}

function askPs(pid: number): string | null {
  try {
    return (
      execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
        encoding: 'utf8',
        env: { ...process.env, LC_ALL: 'C' },
      }).trim() || null
    )
  } catch (error) {
    // `ps` ends with 1 when there is no such process.
    if (error instanceof Error && 'status' in error && error.status === 1) return null
    throw error
  }
}

/** Whether the process that was started then still runs. */
export const isSameProcess = (pid: number, start: string): boolean => findProcessStart(pid) === start
