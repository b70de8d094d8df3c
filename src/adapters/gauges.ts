/** Metrics that the database knows, in the Prometheus text format. */
import { Gauge, Registry } from 'prom-client'
import type { App } from '../core/app.ts'
import { withDeadline } from '../lib/async.ts'

/** Milliseconds that the values of one feature may take. */
const deadlineMs = 2000
/** Milliseconds for which values are used again: however often they are requested, the database is queried four times a minute. */
const intervalMs = 15_000

/** @returns a function that reads them, unless they were read in the last 15 seconds */
export function createGauges(app: App, isTimed = true): () => Promise<string> {
  const registry = new Registry()
  const gauge = (name: string, help: string, labelNames: readonly string[] = []) =>
    new Gauge({ name: `latchkey_${name}`, help, labelNames: [...labelNames], registers: [registry] })
  const declared = app.features.flatMap(({ gauges: own }) => Object.entries(own?.declared ?? {}))
  const gauges = new Map(declared.map(([name, { help, labels }]) => [name, gauge(name, help, labels)]))
  const failed = gauge('measurement_failed', '1: the database did not provide the metrics of this feature in time', ['feature'])

  async function measure({ name: feature, gauges: own }: App['features'][number]): Promise<void> {
    if (!own) return
    try {
      const values = await withDeadline(own.read(app), deadlineMs, 'No response in time')
      for (const { name, labels = {}, value } of values) gauges.get(name)?.set(labels, value)
      failed.set({ feature }, 0)
    } catch (error) {
      app.log.debug({ err: error, feature }, 'The metrics of a feature could not be read')
      failed.set({ feature }, 1)
    }
  }
  async function readAll(): Promise<string> {
    // A value that is not read again must not stay.
    registry.resetMetrics()
    for (const [name, { labels }] of declared) if (!labels) gauges.get(name)?.remove()
    for (const feature of app.features) await measure(feature)
    return registry.metrics()
  }
  let known: { readonly at: number; readonly text: Promise<string> } | null = null
  return () => {
    const now = performance.now()
    if (!isTimed || !known || now - known.at > intervalMs) known = { at: now, text: readAll() }
    return known.text
  }
}
