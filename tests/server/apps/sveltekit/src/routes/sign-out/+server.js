import { reader } from '../../hooks.server.js'

export const POST = async ({ request }) => {
  const headers = new Headers({ location: '/account' })
  await reader.signOut(request.headers, (cookies) => {
    for (const cookie of cookies) headers.append('set-cookie', cookie)
  })
  return new Response(null, { status: 303, headers })
}
