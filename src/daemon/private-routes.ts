/** The calls of the private listener: status for monitoring, and control for the commands. */
import { toFailure } from '../project/failure.ts'
import type { Daemon } from './daemon.ts'
import type { Detached } from './detached-process.ts'
import { packFailure } from './messages.ts'
import type { ControlRoutes } from './private-listener.ts'
import type { Rollout } from './rollout.ts'
import * as statusReport from './status-report.ts'
import { isRestartOrder, type RestartOrder } from './succession.ts'

interface Actions {
  readonly reload: Rollout['reload']
  readonly restart: (order: RestartOrder) => Promise<Detached>
  readonly stop: () => void
}

export function createRoutes(daemon: Daemon, { reload, restart, stop }: Actions): ControlRoutes {
  return {
    'GET /livez': async () => ({ status: 200, body: { status: 'alive' } }),
    'GET /readyz': async () => {
      const readiness = await statusReport.reportReadiness(daemon)
      return { status: readiness.ready ? 200 : 503, body: { status: readiness.ready ? 'ready' : 'not ready', ...readiness } }
    },
    'GET /status': async () => ({ status: 200, body: await statusReport.reportStatus(daemon) }),
    'GET /metrics': async () => {
      return { status: 200, body: await statusReport.reportMetrics(daemon), type: daemon.metrics.registry.contentType }
    },
    'POST /counters': async (body: unknown) => {
      const report = statusReport.isCountersQuery(body) ? await statusReport.reportCounters(daemon, body) : null
      return report ? { status: 200, body: report } : { status: 400, body: { code: 'BAD_REQUEST', message: 'Invalid query' } }
    },
    'POST /reload': async () => {
      const outcome = await reload().catch((error: unknown) => toFailure(error, null))
      return outcome instanceof Error ? { status: 409, body: packFailure(outcome) } : { status: 200, body: outcome }
    },
    'POST /restart': async (body: unknown) => {
      if (!isRestartOrder(body)) return { status: 400, body: { code: 'BAD_REQUEST', message: 'Invalid order' } }
      const outcome = await restart(body).catch((error: unknown) => toFailure(error, null))
      return outcome instanceof Error ? { status: 409, body: packFailure(outcome) } : { status: 200, body: outcome }
    },
    'POST /stop': async () => {
      // After the response, because without workers the listener closes immediately.
      setImmediate(stop)
      return { status: 202, body: { pid: process.pid, drainTimeout: daemon.serving?.drainTimeout ?? 0 } }
    },
  }
}
