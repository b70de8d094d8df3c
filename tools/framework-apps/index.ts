/** The same small app in each framework: a protected page, protected data, and a form that signs the user out. */
import { once } from 'node:events'
import type { Server } from 'node:net'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import * as forExpress from '../../src/server/express.ts'
import * as forFastify from '../../src/server/fastify.ts'
import * as forHono from '../../src/server/hono.ts'
import type { SessionReader, VerifiedSession } from '../../src/server/index.ts'

/** Serves requests of Node's HTTP server. */
export type Listen = (port: number) => Promise<{ close(): unknown }>
export type CreateApp = (reader: SessionReader) => Listen

/** Neither `app.listen` of Express nor `serve` of Hono waits until the port is open. */
async function opened<T extends Server>(server: T): Promise<T> {
  await once(server, 'listening')
  return server
}

const page = ({ user, source }: VerifiedSession): string => `<!doctype html><title>App</title>
<h1>Hello ${user.name}</h1><p>${source}</p><form method="post" action="/sign-out"><button>Sign out</button></form>`

const html = 'text/html; charset=utf-8'

const expressApp: CreateApp = (reader) => {
  const app = express()
  app.use('/account', forExpress.protect(reader))
  app.get('/account', (_, res) => void res.type('html').send(page(forExpress.sessionOf(res))))
  app.get('/account/data', (_, res) => void res.json(forExpress.sessionOf(res).user.id))
  app.post('/sign-out', async (req, res) => {
    await reader.signOut(req.headers, (headers) => res.append('set-cookie', [...headers]))
    res.redirect(303, '/account')
  })
  return (port) => opened(app.listen(port, 'localhost'))
}

const fastifyApp: CreateApp = (reader) => {
  const app = fastify()
  app.register((account, _, done) => {
    account.addHook('onRequest', forFastify.protect(reader))
    account.get('/account', (request, reply) => reply.type(html).send(page(forFastify.sessionOf(request))))
    account.post('/account', async () => '')
    account.get('/account/data', async (request) => JSON.stringify(forFastify.sessionOf(request).user.id))
    done()
  })
  app.addContentTypeParser('application/x-www-form-urlencoded', async () => ({}))
  app.post('/sign-out', async (request, reply) => {
    await reader.signOut(request.headers, (headers) => reply.header('set-cookie', [...headers]))
    return reply.redirect('/account', 303)
  })
  return async (port) => {
    await app.listen({ port, host: 'localhost' })
    return app
  }
}

const honoApp: CreateApp = (reader) => {
  const app = new Hono<forHono.SignedInEnv>()
  app.use('/account/*', forHono.protect(reader))
  app.get('/account', (c) => c.html(page(c.get('session'))))
  app.get('/account/data', (c) => c.json(c.get('session').user.id))
  app.post('/sign-out', async (c) => {
    await reader.signOut(c.req.raw.headers, (headers) => {
      for (const header of headers) c.header('set-cookie', header, { append: true })
    })
    return c.redirect('/account', 303)
  })
  return async (port) => {
    const { serve } = await import('@hono/node-server')
    return opened(serve({ fetch: app.fetch, port, hostname: 'localhost' }))
  }
}

export const apps: Readonly<Record<string, CreateApp>> = { express: expressApp, fastify: fastifyApp, hono: honoApp }
