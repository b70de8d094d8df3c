/** A start page for users, and the MCP server for their agents. */
import { createMcpHandler, McpServer, requireBearerAuth } from '@modelcontextprotocol/server'
import { Hono } from 'hono'
import { html } from 'hono/html'
import { createSessionReader, type SessionReaderOptions } from 'latchkey/server'
import { protect, type SignedInEnv } from 'latchkey/server/hono'
import { z } from 'zod'
import { createKeyVerifier, type KeyOwner, ownerOf } from './keys.ts'

/** Notes of each user, by their ID. */
type Notes = Map<string, string[]>

const text = (content: string) => ({ content: [{ type: 'text' as const, text: content }] })

/** The tools act as the owner of the key, and see their notes only. */
function createServer(owner: KeyOwner, notes: Notes): McpServer {
  const server = new McpServer({ name: 'notes', version: '1.0.0' })
  server.registerTool(
    'list_notes',
    { description: `Lists the notes of ${owner.name}`, annotations: { readOnlyHint: true } },
    () => text((notes.get(owner.id) ?? []).join('\n') || 'There are no notes'),
  )
  const inputSchema = z.object({ text: z.string().min(1).max(200) })
  server.registerTool('add_note', { description: `Adds a note of ${owner.name}`, inputSchema }, (input) => {
    notes.set(owner.id, [...(notes.get(owner.id) ?? []), input.text].slice(-100))
    return text('The note was added')
  })
  return server
}

/** @param options the addresses of Latchkey and of this app */
export function createApp(options: SessionReaderOptions) {
  const reader = createSessionReader(options)
  const notes: Notes = new Map()
  const gate = requireBearerAuth({ verifier: createKeyVerifier(options.baseURL) })
  const mcp = createMcpHandler(({ authInfo }) => createServer(ownerOf(authInfo), notes))
  const { origin } = new URL(options.appURL)

  const app = new Hono<SignedInEnv>()
  app.use('/', protect(reader))
  app.get('/', (c) => c.html(startPage(String(c.get('session').user.name), origin, new URL(options.baseURL).origin)))
  app.all('/mcp', async (c) => {
    const found = await gate(c.req.raw)
    return found instanceof Response ? found : mcp.fetch(c.req.raw, { authInfo: found })
  })
  return app
}

const startPage = (name: string, origin: string, latchkey: string) => html`<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>Notes for agents</title></head>
  <body>
    <h1>Hello ${name}</h1>
    <ol>
      <li><a href="${latchkey}/account/api-keys">Create an API key</a></li>
      <li>Add the server to your agent:
        <pre>claude mcp add --transport http notes ${origin}/mcp --header "Authorization: Bearer KEY"</pre></li>
    </ol>
  </body>
</html>`
