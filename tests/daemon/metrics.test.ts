/** Metrics, `status` and `doctor` say when work that should happen by itself does not; readiness does not depend on it. */
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/adapters/database/open.ts'
import { createServerProject, requireSuccess, until } from './project.ts'

test('a daemon with failed emails stays ready, and its metrics and `status` say so', async () => {
  const project = await createServerProject((port) => `server: { port: ${port}, workers: 2 }`)
  await project.serve()
  const healthy = (await project.private('GET', '/metrics')).body
  expect(healthy).toMatch(/^latchkey_outbox_failed\{medium="email"\} 0$/m)
  // Values of the database come from one worker; they are not a sum.
  expect(healthy).toMatch(/^latchkey_secrets 1$/m)
  expect(healthy).toMatch(/^latchkey_rate_limit_fallback_active 0$/m)
  requireSuccess(await project.latchkey(['status', '--exit-code']))
  const opened = openDatabase({ url: project.database.url, poolSize: 1, connectTimeout: 5000, queryTimeout: 5000 })
  const at = new Date(Date.now() - 3_600_000)
  const mail = { id: 'failed', kind: 'reset-password', recipient: 'ann@example.com', createdAt: at, failedAt: at }
  await opened.db.insertInto('outbox').values(mail).execute()
  const hour = { at: new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000), expiresAt: new Date(Date.now() + 86_400_000) }
  const rejected = { id: 'rejected', series: 'rate-limit by route', label: 'GET /get-session', unit: 'hour', value: 120, ...hour }
  await opened.db.insertInto('statistic').values(rejected).execute()
  await opened.close()
  await until(async () => (await project.latchkey(['status'])).exitCode === 1)
  const { stdout } = await project.latchkey(['status', '--json'])
  expect(JSON.parse(stdout)).toMatchObject({ ready: true, checks: [{ id: 'mail', state: 'failed', message: 'failing' }, {}, {}] })
  expect((await project.private('GET', '/readyz')).status).toBe(200)
  const doctor = await project.latchkey(['doctor', '--json'])
  expect(doctor.exitCode).toBe(1)
  const findings: { readonly id: string; readonly status: string; readonly message: string }[] = JSON.parse(
    doctor.stdout,
  ).findings
  const failed = findings.filter(({ status }) => status === 'failed')
  expect(findings.find(({ id }) => id === 'rate-limits')).toMatchObject({
    status: 'warning',
    message: '120 requests rejected in the last two hours, 120 of them GET /get-session',
  })
  expect(failed).toMatchObject([{ id: 'mail-delivery' }])
})
