import { expect, test } from 'vitest'
import { version } from '../../core/version.ts'
import type { DaemonState } from '../../daemon/state.ts'
import { checkRunning } from './check-running.ts'

const url = 'http://localhost:4377/api/auth'
const state: DaemonState = {
  schema: 'daemon/v1',
  pid: 12,
  processStart: 'x',
  startedAt: '2026-11-25T08:00:00.000Z',
  mode: 'detached',
  version,
  socket: '/s',
  apiSocket: '/a',
  host: '127.0.0.1',
  port: 4377,
  url,
  config: null,
  log: null,
  overrides: [],
}

test('the running daemon is shown with its version, address and URL', () => {
  expect(checkRunning(state, url)).toMatchObject({
    status: 'ok',
    message: `Version ${version}, process 12, listens on 127.0.0.1:4377 for ${url}`,
  })
  expect(checkRunning(null, url).status).toBe('skipped')
})

test('a daemon of another version, or with another URL than the configuration, is a warning', () => {
  expect(checkRunning({ ...state, version: '0.0.9' }, url)).toMatchObject({
    status: 'warning',
    message: expect.stringContaining(`Version 0.0.9`),
    fix: expect.stringContaining('restart'),
  })
  const moved = 'http://localhost:4000/api/auth'
  expect(checkRunning(state, moved)).toMatchObject({ status: 'warning', message: expect.stringContaining(moved) })
  expect(checkRunning({ ...state, mode: 'development' }, moved).status).toBe('ok')
})
