/** Outbound HTTP (ASVS 13.2.4, 15.3.2): bounded in time and size, and never redirected to where nobody has agreed to go. */

const deadline = 10_000
const largest = 1_048_576

/** @returns a `fetch` that rejects after 10 seconds, on a redirect, and on an answer above 1 MiB */
export function createFetch(): typeof fetch {
  return async (input, init = {}) => {
    const signal = AbortSignal.any([AbortSignal.timeout(deadline), ...(init.signal ? [init.signal] : [])])
    const headers = new Headers(init.headers)
    if (!headers.has('user-agent')) headers.set('user-agent', 'latchkey')
    const response = await fetch(input, { ...init, headers, signal, redirect: 'error' })
    return bounded(response)
  }
}

async function bounded(response: Response): Promise<Response> {
  if (!response.body) return response
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body) {
    size += chunk.byteLength
    if (size > largest) throw new RangeError('The answer is larger than 1 MiB')
    chunks.push(chunk)
  }
  const { status, statusText, headers } = response
  return new Response(Buffer.concat(chunks), { status, statusText, headers })
}
