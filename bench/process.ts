/** CPU time and memory of a process and its children, from /proc; Linux only. */
import { readdirSync, readFileSync } from 'node:fs'

const ticksPerSecond = 100

/** Microseconds of CPU time of a process and its descendants. */
export const cpuMicroseconds = (pid: number): number =>
  treeOf(pid).reduce((sum, member) => sum + ticks(member) * (1_000_000 / ticksPerSecond), 0)

/** Resident memory of one process, in MiB. */
export function residentMiB(pid: number): number {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

export const childrenOf = (pid: number): number[] => parents().flatMap(([child, parent]) => (parent === pid ? [child] : []))

function treeOf(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(treeOf)]
}

function ticks(pid: number): number {
  const stat = readStat(pid)
  // utime and stime, and those of children that have ended.
  return stat ? [11, 12, 13, 14].reduce((sum, position) => sum + Number(stat[position]), 0) : 0
}

function parents(): [number, number][] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.flatMap((name): [number, number][] => {
    const stat = readStat(Number(name))
    return stat ? [[Number(name), Number(stat[1])]] : []
  })
}

/** The fields after the name, which may itself contain spaces; null for a process that has exited. */
function readStat(pid: number): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return null
  }
}
