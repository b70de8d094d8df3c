import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Daemon } from './daemon.ts'

const prefix = 'latchkey_supervisor_'
const registries = new WeakMap<Daemon, Registry>()

/** What only the supervisor knows, read from it whenever somebody asks. */
export function supervisorMetrics(daemon: Daemon): Registry {
  const known = registries.get(daemon)
  if (known) return known
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix })
  new Gauge({
    name: `${prefix}workers`,
    help: 'Workers by what they do',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const state of ['starting', 'serving', 'draining'] as const) this.set({ state }, daemon.crew.members(state).length)
    },
  })
  const counter = (name: string, help: string, read: () => number) =>
    new Counter({
      name: `${prefix}${name}_total`,
      help,
      registers: [registry],
      collect() {
        this.reset()
        this.inc(read())
      },
    })
  counter('replacements', 'Workers that were started because another one was lost', () => daemon.counts.replacements)
  counter('reloads', 'Reloads that took up a configuration', () => daemon.counts.reloads)
  counter('refused_reloads', 'Reloads that left the old configuration serving', () => daemon.counts.refusedReloads)
  registries.set(daemon, registry)
  return registry
}
