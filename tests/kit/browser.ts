/** A minimal browser: it stores cookies and sends its origin. */
import type { Input } from '../../src/client.ts'
import type { Api } from '../../src/features/index.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
type JSONValue = any

export interface Answer {
  readonly status: number
  readonly statusText: string
  /** Parsed when it is JSON, else the text. */
  readonly body: JSONValue
  readonly headers: Headers
  /** The `Set-Cookie` headers in order. */
  readonly setCookie: readonly string[]
}

export interface RawRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Browser {
  /** A call with typed input; the body is sent as JSON. */
  call<K extends keyof Api & string>(key: K, input: Input<Api[K]>, headers?: Readonly<Record<string, string>>): Promise<Answer>
  /** Any request; `path` below the base path, or from the root when it begins with `//`. */
  request(path: string, request?: RawRequest): Promise<Answer>
  /** Cookies by name, as sent. */
  readonly cookies: Map<string, string>
}

/** The name of the user who is signed in, or null. */
export const nameOf = async (browser: Browser): Promise<string | null> =>
  (await browser.call('GET /get-session', {})).body?.user.name ?? null

type Send = (url: string, init: RequestInit) => Response | Promise<Response>

export function createBrowser(send: Send, apiURL: string): Browser {
  const cookies = new Map<string, string>()
  const request = async (path: string, { method = 'GET', headers = {}, body }: RawRequest = {}): Promise<Answer> => {
    const url = path.startsWith('//') ? new URL(path.slice(1), apiURL).href : `${apiURL}${path}`
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const sent = { ...(cookie && { cookie, origin: new URL(apiURL).origin }), ...headers }
    const response = await send(url, { method, headers: sent, redirect: 'manual', ...(body !== undefined && { body }) })
    const setCookie = response.headers.getSetCookie()
    for (const header of setCookie) keep(cookies, header)
    const text = await response.text()
    return { status: response.status, statusText: response.statusText, body: parse(text), headers: response.headers, setCookie }
  }
  return {
    cookies,
    request,
    call: (key, input, headers = {}) => {
      const [method = '', path = ''] = key.split(' ')
      const { query, body, params } = input as { query?: object; body?: unknown; params?: Record<string, string> }
      const search = query
        ? `?${new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]))}`
        : ''
      const target = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params?.[name] ?? '')) + search
      if (method === 'GET') return request(target, { headers })
      return request(target, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body ?? {}),
      })
    },
  }
}

function keep(cookies: Map<string, string>, header: string): void {
  const [pair = ''] = header.split(';')
  const name = pair.slice(0, pair.indexOf('='))
  if (/; Max-Age=0(;|$)/.test(header)) cookies.delete(name)
  else cookies.set(name, pair.slice(name.length + 1))
}

function parse(text: string): JSONValue {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
