/** Metrics that the database knows, as a feature declares them. */
import type { App } from './app.ts'

interface Gauge {
  readonly help: string
  readonly labels?: readonly string[]
}

/** A value of a declared gauge. */
export interface Measurement {
  readonly name: string
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

export interface Gauges {
  /** By name, without the prefix `latchkey_`. */
  readonly declared: Readonly<Record<string, Gauge>>
  /** One worker of a daemon reads them a few times a minute: bounded queries only. */
  readonly read: (app: App) => Promise<readonly Measurement[]>
}
