/** The API of the app. It knows its users by their session at Latchkey. */
import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { HTTPException } from 'hono/http-exception'
import { createSessionReader, SessionError, type SessionReaderOptions } from 'latchkey/server'
import { protect, type SignedInEnv } from 'latchkey/server/hono'

/** @param options the addresses of Latchkey and of this app */
export function createAPI(options: SessionReaderOptions) {
  const reader = createSessionReader(options)
  const { origin } = new URL(options.appURL)
  const notes = new Map<string, string[]>()

  /** The session cookie comes along with requests of other sites, too. */
  const sameOrigin = createMiddleware(async (c, next) => {
    if (!['GET', 'HEAD'].includes(c.req.method) && c.req.header('origin') !== origin) throw new HTTPException(403)
    await next()
  })

  const app = new Hono<SignedInEnv>()
  app.use('/api/*', sameOrigin, protect(reader))
  app.get('/api/me', (c) => {
    const { id, name } = c.get('session').user
    return c.json({ name, notes: notes.get(id) ?? [] })
  })
  app.post('/api/notes', async (c) => {
    const { text } = await c.req.json().catch(() => ({}))
    if (typeof text !== 'string' || text === '' || text.length > 200) return c.json({ code: 'INVALID_NOTE' }, 400)
    const { id } = c.get('session').user
    notes.set(id, [...(notes.get(id) ?? []), text].slice(-100))
    return c.json({ text })
  })
  app.get('/sign-in', (c) => c.redirect(reader.signInURL('/')))
  app.post('/sign-out', async (c) => {
    await reader.signOut(c.req.raw.headers, (headers) => {
      for (const header of headers) c.header('set-cookie', header, { append: true })
    })
    return c.redirect('/', 303)
  })
  app.onError((error, c) => {
    if (error instanceof SessionError) return new Response(error.message, { status: error.status })
    if (error instanceof HTTPException) return error.getResponse()
    console.error(error)
    return c.text('Something went wrong', 500)
  })
  return app
}
