/** The API for the operator's own servers, in a worker: serves the calls that the supervisor forwards from the private listener. */
import type { App } from '../core/app.ts'
import { createServer, type Health } from '../http/server.ts'
import type { ForwardedCall, ForwardedResponse } from './messages.ts'

export interface PrivateServer {
  respond(call: ForwardedCall): Promise<ForwardedResponse>
  /** Resolves when the running calls have their responses. */
  drained(): Promise<void>
}

export function createPrivateServer(app: App, health: Health): PrivateServer {
  const server = createServer(app, health, { isPrivileged: true })
  const running = new Set<Promise<ForwardedResponse>>()
  const respond = async (call: ForwardedCall): Promise<ForwardedResponse> => {
    const request = toRequest(call)
    const response = request
      ? await server.fetch(request)
      : Response.json({ code: 'BAD_REQUEST', message: 'Bad Request' }, { status: 400 })
    const body = Buffer.from(await response.arrayBuffer()).toString('base64')
    return { status: response.status, headers: [...response.headers], body }
  }
  return {
    respond: async (call) => {
      const responding = respond(call)
      running.add(responding)
      try {
        return await responding
      } finally {
        running.delete(responding)
      }
    },
    drained: async () => void (await Promise.allSettled(running)),
  }
}

/** @returns null when the method, the target or a header is invalid */
function toRequest({ method, target, headers, body }: ForwardedCall): Request | null {
  if (!target.startsWith('/')) return null
  try {
    const init = { method, headers: headers.map(([name, value]): [string, string] => [name, value]) }
    return new Request(`http://localhost${target}`, body === null ? init : { ...init, body: Buffer.from(body, 'base64') })
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}
