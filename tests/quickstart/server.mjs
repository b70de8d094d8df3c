import { createServer } from 'node:http'

const latchkey = 'http://localhost:4000'

/** The session of a request, or null. Only Latchkey knows whether a cookie is valid. */
async function getSession(request) {
  if (!request.headers.cookie) return null
  const response = await fetch(`${latchkey}/api/auth/get-session?disableRefresh=true`, {
    headers: { cookie: request.headers.cookie },
  })
  // A visitor who reads too often is limited alone; show the page as to a visitor who is not signed in.
  if (response.status === 429) return null
  if (!response.ok) throw new Error(`Latchkey responded with status ${response.status}`)
  return response.json()
}

createServer(async (request, response) => {
  try {
    const session = await getSession(request)
    if (session) response.end(`Hello ${session.user.name}\n`)
    else response.writeHead(401).end('Sign in first\n')
  } catch (error) {
    console.error(error)
    response.writeHead(503).end('Try again later\n')
  }
}).listen(3001, 'localhost')
