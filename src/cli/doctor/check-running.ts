/** Checks the running daemon of the project, which may have been started with other options than the configuration has now. */
import { version } from '../../core/version.ts'
import { type DaemonState, formatAddress } from '../../daemon/state.ts'
import { check, type Finding } from './finding.ts'

/** @param url public address of the API by the configuration */
export function checkRunning(running: DaemonState | null, url: string): Finding {
  const { ok, skipped, warning } = check('daemon', 'Daemon')
  if (!running) return skipped('Not running for this project')
  const { pid, host, port } = running
  const found = `Version ${running.version}, process ${pid}, listens on ${formatAddress(host, port)} for ${running.url}`
  if (running.version !== version) return warning(`${found}; this is version ${version}`, 'Run `latchkey restart`.')
  // `latchkey dev` chooses a URL of its own.
  if (running.mode !== 'development' && running.url !== url)
    return warning(`${found}; the configuration says ${url}`, 'Run `latchkey reload`.')
  return ok(found)
}
