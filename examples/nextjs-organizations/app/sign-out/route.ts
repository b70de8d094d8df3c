import { reader } from '../../lib/reader'

export async function POST(request: Request): Promise<Response> {
  const headers = new Headers({ location: '/' })
  await reader.signOut(request.headers, (cookies) => {
    for (const cookie of cookies) headers.append('set-cookie', cookie)
  })
  return new Response(null, { status: 303, headers })
}
