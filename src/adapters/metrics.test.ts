import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createMetrics } from './metrics.ts'

test('exports counts and durations in the Prometheus format, with a prefix', async () => {
  const { metrics, registry } = createMetrics()
  metrics.count('hash_rejected')
  metrics.count('rate_limit_fallback', { store: 'redis' })
  metrics.observe('request_duration', 0.004, { method: 'GET', route: '/get-session', status: '200' })
  metrics.observe('hash_duration', 0.03, { operation: 'verify' })
  const text = await registry.metrics()
  expect(text).toContain('latchkey_hash_rejected_total 1')
  expect(text).toContain('latchkey_rate_limit_fallback_total{store="redis"} 1')
  expect(text).toContain('latchkey_request_duration_seconds_bucket{le="0.005",method="GET",route="/get-session",status="200"} 1')
  expect(text).toContain('latchkey_hash_duration_seconds_count{operation="verify"} 1')
  expect(text).toContain('latchkey_process_cpu_seconds_total')
})

test('rejects an undeclared label', () => {
  expect(() => createMetrics().metrics.count('rate_limited', { path: '/x' })).toThrow('path')
})

const program = `
  import cluster from 'node:cluster'
  import prometheus from ${JSON.stringify(pathToFileURL(createRequire(import.meta.url).resolve('prom-client')).href)}
  if (cluster.isPrimary) {
    const aggregated = new prometheus.AggregatorRegistry()
    let ready = 0
    cluster.on('message', async (worker, message) => {
      if (message !== 'counted' || ++ready < 2) return
      process.stdout.write(await aggregated.clusterMetrics())
      for (const each of Object.values(cluster.workers)) each.kill('SIGKILL')
    })
    cluster.fork()
    cluster.fork()
  } else {
    const { createMetrics } = await import(${JSON.stringify(new URL('./metrics.ts', import.meta.url).href)})
    createMetrics().metrics.count('hash_rejected')
    process.send('counted')
  }`

test('a supervisor adds up the metrics of its workers', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-metrics-'))
  try {
    // A cluster starts its workers from a file.
    const file = join(folder, 'supervisor.mjs')
    await writeFile(file, program)
    const { stdout } = await promisify(execFile)(process.execPath, [file])
    expect(stdout).toContain('latchkey_hash_rejected_total 2')
  } finally {
    await rm(folder, { recursive: true })
  }
})
