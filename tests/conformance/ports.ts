/** Ports that only record calls, for suites of other ports. */
import type { Logger, Metrics } from '../../src/core/ports.ts'

export const silentLog: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {}, child: () => silentLog }

/** @returns a log and metrics that keep what they are given */
export function watch() {
  const lines: { level: string; fields: object; message: string }[] = []
  const counted: string[] = []
  const write = (level: string) => (fields: object, message: string) => lines.push({ level, fields, message })
  const log: Logger = { debug: () => {}, info: write('info'), warn: write('warn'), error: write('error'), child: () => log }
  const metrics: Metrics = {
    count: (name, labels = {}) => counted.push([name, ...Object.values(labels)].join(' ')),
    observe: () => {},
  }
  return { log, metrics, lines, counted }
}
