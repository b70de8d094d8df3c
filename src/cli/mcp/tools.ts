/** Tools of the MCP server: calls of the administration API, made with the API key of the agent. */
import { version } from '../../core/version.ts'
import type { AdministrationCall } from '../../features/open-api/index.ts'

/** What a call needs: the public URL of the API, and the key. */
export interface Target {
  readonly fetch: typeof fetch
  /** Without a trailing slash. */
  readonly apiURL: string
  readonly keyHeader: string
  readonly key: string
}

export interface ToolResult {
  readonly text: string
  readonly isError: boolean
}

/** The tools that this server offers. @param allowed names of tools that change something */
export const offeredTools = (calls: readonly AdministrationCall[], allowed: 'all' | ReadonlySet<string>): AdministrationCall[] =>
  calls.filter(({ name, isRead }) => isRead || allowed === 'all' || allowed.has(name))

/** As `tools/list` returns it. */
export const toolOf = ({ name, title, description, inputSchema, isRead }: AdministrationCall) => ({
  name,
  title,
  description,
  inputSchema: inputSchema as { type: 'object' },
  annotations: { title, readOnlyHint: isRead, destructiveHint: !isRead, openWorldHint: false },
})

/** Makes the call. Failures are results too, so that the agent can read the reason. @param input as the agent sent it */
export async function callTool(
  target: Target,
  call: AdministrationCall,
  input: object,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { method, path } = call
  const url = new URL(`${target.apiURL}${path}`)
  if (method === 'GET') for (const [name, value] of queryOf(input)) url.searchParams.append(name, value)
  const headers = {
    [target.keyHeader]: target.key,
    'user-agent': `latchkey-mcp/${version}`,
    accept: 'application/json',
    ...(method !== 'GET' && { 'content-type': 'application/json' }),
  }
  try {
    const response = await target.fetch(url, {
      method,
      headers,
      signal,
      ...(method !== 'GET' && { body: JSON.stringify(input) }),
    })
    const body = await response.text()
    return { text: response.ok ? body : `HTTP ${response.status}: ${body}`, isError: !response.ok }
  } catch (error) {
    const { code } = Object((error as Error).cause) as { code?: string }
    return { text: `Cannot reach ${target.apiURL}${code ? ` (${code})` : ''}. Check that the daemon is running.`, isError: true }
  }
}

/** A list is sent as one parameter for each of its values. */
const queryOf = (input: object): (readonly [string, string])[] =>
  Object.entries(input).flatMap(([name, value]) =>
    [value].flat().flatMap((each) => (each === undefined || each === null ? [] : [[name, textOf(each)] as const])),
  )

const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))
